const STATES = ['open', 'closed', 'all', 'fixed', 'dismissed'] as const;

/** What the address of the feedback says; left out is what is usual. */
export interface FeedbackSearch {
  /** A card for each question; else the specified table of single reports. */
  view?: 'questions' | undefined;
  /** `all` of single reports, and `open` by question, when it is left out. */
  state?: (typeof STATES)[number] | undefined;
  sort?: 'reports' | undefined;
  /** Reports of this question only. */
  question?: number | undefined;
  /** From 2. */
  page?: number | undefined;
}

/** Takes what makes sense together, and leaves out the rest. */
export function readFeedbackSearch(search: { readonly [key: string]: unknown }): FeedbackSearch {
  const single = search.view !== 'questions';
  const usual = single ? 'all' : 'open';
  const allowed = single ? ['open', 'fixed', 'dismissed'] : ['closed', 'all'];
  const state = STATES.find((known) => known === search.state && allowed.includes(known));
  // Each is named: the router keeps what is not.
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
