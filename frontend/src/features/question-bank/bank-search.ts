import { MAX_TOPIC_LENGTH } from '@proveklar/contract/limits.ts';
import type {
  QuestionFilter,
  QuestionSort,
  QuestionsQuery,
} from '@proveklar/contract/questions.ts';
import { toLanguageCode } from '#lib/question-language.ts';

// Not imported: the contract's lists come with the code of its schemas.
export const SORTS = [
  'newest',
  'oldest',
  'most_selected',
  'least_selected',
  'lowest_correct',
  'topic',
] as const satisfies readonly QuestionSort[];
export const STATES = ['active', 'retired', 'all'] as const satisfies readonly NonNullable<
  QuestionFilter['state']
>[];
export const VALIDATIONS = ['validated', 'pending'] as const satisfies readonly NonNullable<
  QuestionFilter['validation']
>[];

/** The search parameters of the list: the filter, the sort order and the page. */
export type BankSearch = Omit<QuestionsQuery, 'quiz_id'>;
type Raw = Record<string, unknown>;

/** Questions of a page; the first is the default. */
export const PAGE_SIZES = [20, 50, 100] as const;
const MAX_SELECTED = 2_147_483_647;
const MAX_PAGE = 1_000_000;

/** Keeps the parameters that the API would accept. */
export function readBankSearch(search: Raw): BankSearch {
  const { page, sort, state, language, import_id } = search;
  return present<BankSearch>({
    topic: text(search.topic, MAX_TOPIC_LENGTH),
    language: toLanguageCode(language),
    validation: oneOf(VALIDATIONS, search.validation),
    min_correct: integer(search.min_correct, 0, 100),
    max_selected: integer(search.max_selected, 0, MAX_SELECTED),
    search: text(search.search, 200),
    import_id: matching(import_id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu),
    state: state === 'active' ? undefined : oneOf(STATES, state),
    reported: typeof search.reported === 'boolean' ? search.reported : undefined,
    sort: sort === 'newest' ? undefined : oneOf(SORTS, sort),
    page: page === 1 ? undefined : integer(page, 1, MAX_PAGE),
    page_size: PAGE_SIZES.slice(1).find((size) => size === search.page_size),
  });
}

/** The filter, without the sort order, the page and its size. */
export function filterOf({
  page: _page,
  page_size: _size,
  sort: _sort,
  ...filter
}: BankSearch): QuestionFilter {
  return filter;
}

/** Whether a filter is set, other than the default that hides retired questions. */
export function isFiltered(search: BankSearch): boolean {
  return Object.keys(filterOf(search)).length > 0;
}

/** The search as query parameters of the API. */
export function toParameters(search: BankSearch): URLSearchParams {
  return new URLSearchParams(
    Object.entries(search).map(([name, value]) => [name, String(value)] as [string, string]),
  );
}

/** Removes undefined values. */
export function present<T extends object>(values: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

// The router parses digits as a number, though they may be meant as text, such as a year.
function text(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).slice(0, longest).trim() || undefined;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function integer(value: unknown, least: number, most: number): number | undefined {
  const isOne = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return isOne ? Number(value) : undefined;
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value);
}

let last: BankSearch = {};

/** The last search of the list, for the link back from a question. */
export function lastSearch(): BankSearch {
  return last;
}

export function rememberSearch(search: BankSearch): void {
  last = search;
}
