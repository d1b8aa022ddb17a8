-- Up Migration

-- An import: a file, how far it has come, and what became of it.
alter table question_import
  add column state text not null default 'completed' check (state in (
    -- The file is on its way, and read meanwhile; the file is here.
    'receiving', 'processing',
    -- A dry run that is done: its rows wait, unseen, for the administrator to say.
    'checked',
    'completed',
    -- Ended without a question in the bank; its rows are removed in the background.
    'refused', 'cancelled', 'discarded', 'failed',
    -- Taken back after it was complete.
    'undoing', 'undone')),
  add column dry_run boolean not null default false,
  add column on_duplicate text not null default 'skip' check (on_duplicate in ('skip', 'update')),
  add column format text not null default 'json' check (format in ('json', 'csv')),
  add column file_name text,
  -- Of the whole file, when the sender said; and how many are here.
  add column bytes_total bigint,
  add column bytes_received bigint not null default 0,
  -- The last time that a piece of the file came; and when the last one had.
  add column heard_at timestamptz not null default clock_timestamp(),
  add column received_at timestamptz,
  -- Up to here every row is in a batch.
  add column bytes_done bigint not null default 0,
  add column updated integer not null default 0,
  -- Begun again so often without getting further: the row after bytes_done ends its worker.
  add column attempts integer not null default 0,
  -- Why it was refused: { reason, row, byte }.
  add column refusal jsonb,
  add column ended_at timestamptz,
  -- Its rows are gone from the bank, where they had to go.
  add column removed_at timestamptz,
  add column undone_by text;
create index question_import_created on question_import (created_at desc);
-- Rows of these are in the bank and must not be seen.
create index question_import_hidden on question_import (id) where state <> 'completed';

create table import_chunk (
  import_id uuid not null references question_import (id) on delete cascade,
  -- From 0; all but the last are of one size.
  number integer not null,
  content bytea storage external not null,
  primary key (import_id, number)
);

-- The ledger: a batch is here when its rows are in the bank, in one transaction.
create table import_batch (
  import_id uuid not null references question_import (id) on delete cascade,
  -- From 0; all but the last are of the same number of rows, so a second reading cuts the same.
  number integer not null,
  rows integer not null,
  end_byte bigint not null,
  imported integer not null,
  updated integer not null,
  duplicates integer not null,
  rejected integer not null,
  -- What became of rows that did not simply go in: [{ row, outcome, faults? | question_id? }].
  report jsonb not null default '[]',
  primary key (import_id, number)
);

-- Rows that change a question which the bank has; applied when the import is complete.
create table import_update (
  import_id uuid not null references question_import (id) on delete cascade,
  question_id bigint not null references question (id) on delete cascade,
  row jsonb not null,
  applied_at timestamptz,
  primary key (import_id, question_id)
);
create index import_update_question on import_update (question_id);

-- Read for every row of a file: nearly every text is normalised already, and that is quick to see.
create function question_text_key(question text) returns uuid
language sql immutable strict parallel safe
return case
  when question is nfc normalized and question !~ '\s\s|[^\S ]|^\s|\s$'
    then md5(casefold(question))::uuid
  else md5(casefold(btrim(regexp_replace(normalize(question, nfc), '\s+', ' ', 'g'))))::uuid
end;
alter table question alter column text_key set expression as (question_text_key(question));

-- Checked for each of a million rows, it cost a sixth of their import. Imports are never deleted
-- while they have questions, and only they write this column.
alter table question drop constraint question_import_id_fkey;

-- Down Migration

alter table question add constraint question_import_id_fkey
  foreign key (import_id) references question_import (id);
alter table question alter column text_key set expression as
  (md5(casefold(btrim(regexp_replace(normalize(question, nfc), '\s+', ' ', 'g'))))::uuid);
drop function question_text_key;
drop table import_update, import_batch, import_chunk;
drop index question_import_hidden, question_import_created;
alter table question_import
  drop column state, drop column dry_run, drop column on_duplicate, drop column format,
  drop column file_name, drop column bytes_total, drop column bytes_received,
  drop column heard_at, drop column received_at, drop column bytes_done, drop column updated,
  drop column attempts, drop column refusal, drop column ended_at, drop column removed_at,
  drop column undone_by;
