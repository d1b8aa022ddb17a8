import type { QuestionFilter } from '#questions/question-filter.ts';

export type ChangeAction = 'validate' | 'unvalidate' | 'retire' | 'restore' | 'retopic';
export type ChangeState = 'running' | 'completed' | 'cancelled' | 'undoing' | 'undone';
export type Selection = { ids: number[] } | { import_id: string } | { filter: QuestionFilter };

/** A change of many questions at once. */
export interface ChangeRow {
  id: string;
  action: ChangeAction;
  topic: string | null;
  selection: Selection;
  actor: string;
  state: ChangeState;
  last_id: number;
  done_id: number;
  total: number;
  done: number;
  changed: number;
  created_at: Date;
  ended_at: Date | null;
  undone_by: string | null;
}

/** As the API shows it. */
export function toChange({
  last_id: _last,
  done_id: _done,
  created_at,
  ended_at,
  ...row
}: ChangeRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}
export type Change = ReturnType<typeof toChange>;

/** The filter that finds what was selected by import or filter. */
export function filterOf(selection: Exclude<Selection, { ids: number[] }>): QuestionFilter {
  return 'filter' in selection
    ? selection.filter
    : { import_id: selection.import_id, state: 'all' };
}
