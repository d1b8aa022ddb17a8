import type { QuestionFilter, QuestionsQuery } from '@proveklar/contract/questions.ts';
import { questionAt } from '#question-text.ts';
import { BANK_IMPORT } from './bank.ts';

/** A query of an administrator, and the SQL condition that counts the same questions. */
export interface FilteredList {
  name: string;
  query: Pick<QuestionsQuery, 'sort'> & QuestionFilter;
  where: string;
}

const ACTIVE = 'retired_at is null';
const TOPIC = questionAt(0).topic;
const MIN_60 =
  'times_correct + times_incorrect > 0 and times_correct * 100 >= 60 * (times_correct + times_incorrect)';

// Uses the same trigram index: a sequential scan takes psql a second.
const contains = (pattern: string) =>
  `id in (select question_id from question_search where text like casefold('${pattern}'))`;

const filter = (name: string, query: FilteredList['query'], where: string): FilteredList => ({
  name,
  query,
  where: query.state ? where : `${ACTIVE} and ${where}`,
});

const FILTERS: FilteredList[] = [
  filter('no filter', {}, 'true'),
  filter('topic', { topic: TOPIC }, `topic = '${TOPIC}'`),
  filter('language', { language: 'en' }, `language = 'en'`),
  filter('validated', { validation: 'validated' }, 'validated'),
  filter('pending', { validation: 'pending' }, 'not validated'),
  filter(
    'topic, language, pending',
    { topic: TOPIC, language: 'no', validation: 'pending' },
    `topic = '${TOPIC}' and language = 'no' and not validated`,
  ),
  filter('at least 60 % correct', { min_correct: 60 }, MIN_60),
  filter('at least 0 % correct', { min_correct: 0 }, 'true'),
  filter('shown 10 times at most', { max_selected: 10 }, 'coalesce(times_selected, 0) <= 10'),
  filter('never shown', { max_selected: 0 }, 'coalesce(times_selected, 0) = 0'),
  filter(
    'validated, 60 % correct, shown 100 times at most',
    { validation: 'validated', min_correct: 60, max_selected: 100 },
    `validated and ${MIN_60} and coalesce(times_selected, 0) <= 100`,
  ),
  filter('reported', { reported: true }, 'coalesce(times_reported, 0) > 0'),
  filter('search, many', { search: 'fjordene' }, contains('%fjordene%')),
  filter('search, some', { search: 'i Svolvær før' }, contains('%i Svolvær før%')),
  filter('search, none', { search: 'kjøttmeis' }, contains('%kjøttmeis%')),
  filter('import', { import_id: BANK_IMPORT }, `import_id = '${BANK_IMPORT}'`),
  filter('retired', { state: 'retired' }, 'retired_at is not null'),
  filter('retired or not', { state: 'all' }, 'true'),
];

const SORTS = ['oldest', 'most_selected', 'least_selected', 'lowest_correct', 'topic'] as const;

/** Every filter in the default order, and every order with and without a filter. */
export const FILTERED_LISTS: FilteredList[] = [
  ...FILTERS,
  ...SORTS.flatMap((sort) =>
    FILTERS.filter(({ name }) =>
      ['no filter', 'pending', 'at least 60 % correct'].includes(name),
    ).map(({ name, query, where }) => ({
      name: `${sort}: ${name}`,
      query: { ...query, sort },
      where,
    })),
  ),
];

/**
 * The statement that counts the same questions in psql. The bank has no incomplete import, so no rows have to be
 * excluded.
 */
export function countStatement(where: string): string {
  const statistics = where.includes('times_')
    ? 'left join question_statistics on question_id = question.id '
    : '';
  return `select count(*) from question ${statistics}where ${where}`;
}
