import type { FeedbackSearch } from './search.ts';

/** What each view of the reports is given: what is looked for, and how to look for something else. */
export type FeedbackViewProps = {
  search: FeedbackSearch;
  onSearch: (search: FeedbackSearch) => void;
};
