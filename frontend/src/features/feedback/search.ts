const STATES = ['open', 'closed', 'all', 'fixed', 'dismissed'] as const;

/** The search parameters of the feedback page; defaults are left out. */
export interface FeedbackSearch {
  /** Set for a card per question; by default the specified table of single reports. */
  view?: 'questions' | undefined;
  /** By default `all` for single reports, and `open` by question. */
  state?: (typeof STATES)[number] | undefined;
  sort?: 'reports' | undefined;
  /** Reports of this question only. */
  question?: number | undefined;
  /** From 2. */
  page?: number | undefined;
}

/** Keeps the valid parameters. */
export function readFeedbackSearch(search: { readonly [key: string]: unknown }): FeedbackSearch {
  const single = search.view !== 'questions';
  const usual = single ? 'all' : 'open';
  const allowed = single ? ['open', 'fixed', 'dismissed'] : ['closed', 'all'];
  const state = STATES.find((known) => known === search.state && allowed.includes(known));
  // Every parameter is set, because the router keeps those that are not.
  return {
    view: single ? undefined : 'questions',
    state: state === usual ? undefined : state,
    sort: !single && search.sort === 'reports' ? 'reports' : undefined,
    question: single && isWhole(search.question, 1) ? search.question : undefined,
    page: isWhole(search.page, 2) ? search.page : undefined,
  };
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= 1_000_000_000;
}
