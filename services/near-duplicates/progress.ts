/** How far the search for near-duplicates of an import has come. */
export interface NearDuplicateProgress {
  state: 'waiting' | 'searching' | 'done' | 'cancelled';
  /** Questions of the import that were looked at, and how many it brought. */
  checked: number;
  total: number;
  /** Pairs that were found, whatever became of them since. */
  found: number;
}

/** SQL: the progress, for a row of `question_import`. */
export const NEAR_DUPLICATES = `
  case when state = 'completed' then (
    select jsonb_build_object(
      'state', search.state, 'checked', checked, 'total', total, 'found', found)
    from near_duplicate_search search
    where search.import_id = question_import.id) end as near_duplicates`;
