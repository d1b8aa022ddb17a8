-- Up Migration

-- An upload that is sent in parts, and resumed where it stopped.
alter table question_import
  add column resumable boolean not null default false,
  -- Counts the requests that send parts of the file: only the latest may store chunks.
  add column sender integer not null default 0,
  -- Its report was deleted, long after it had ended.
  add column report_deleted_at timestamptz,
  drop constraint question_import_state_check,
  add constraint question_import_state_check check (state in (
    'receiving', 'processing',
    -- The sender went away, and may resume the upload; its rows are not in the bank meanwhile.
    'paused',
    'checked', 'completed', 'refused', 'cancelled', 'discarded', 'failed', 'undoing', 'undone'));
-- The reports that are due to be deleted.
create index question_import_reported on question_import (ended_at) where report_deleted_at is null;

-- Down Migration

drop index question_import_reported;
update question_import
set state = 'refused', ended_at = clock_timestamp(),
  refusal = '{"reason": "interrupted", "row": null, "byte": null}'
where state = 'paused';
alter table question_import
  drop constraint question_import_state_check,
  add constraint question_import_state_check check (state in (
    'receiving', 'processing', 'checked', 'completed', 'refused', 'cancelled', 'discarded', 'failed',
    'undoing', 'undone')),
  drop column resumable, drop column sender, drop column report_deleted_at;
