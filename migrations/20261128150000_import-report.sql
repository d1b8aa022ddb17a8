-- Up Migration

-- What a person needs to mend a file from its report.
alter table import_batch
  -- The line of the file behind the batch; null in batches of the version before.
  add column end_line integer,
  -- Runs of consecutive rows with the same warning:
  -- [{"row": 1, "count": 3, "field": "incorrect", "reason": "one_wrong_answer", "value": null, "cleaned": false, "line": 2, "step": 1}]
  add column warnings jsonb not null default '[]',
  -- The rejected rows and those with another answer, as they stand in the file: [{"row": 4, "source": …}]. Text,
  -- because jsonb stores neither NUL nor half a surrogate pair.
  add column kept_rows text,
  -- The ids that the rows of the batch got, as runs: [{"row": 1, "id": 7, "count": 3}]; and their bounds.
  add column ids jsonb not null default '[]',
  add column first_id bigint,
  add column last_id bigint;

alter table question_import
  -- Parts of `duplicates`: equal to a row of the same file; same text with another answer or other options.
  add column repeated integer not null default 0,
  add column differing integer not null default 0,
  -- Imported or updated rows with a warning, and those of them that were cleaned.
  add column warned integer not null default 0,
  add column cleaned integer not null default 0,
  -- What the columns of a table are: { delimiter, encoding, headings, fields }.
  add column columns jsonb,
  -- When the file had been read to its end; a dry run is confirmed later.
  add column read_at timestamptz,
  drop constraint question_import_format_check,
  add constraint question_import_format_check check (format in ('json', 'csv', 'xlsx'));

-- Down Migration

update question_import set format = 'csv' where format = 'xlsx';
alter table question_import
  drop constraint question_import_format_check,
  add constraint question_import_format_check check (format in ('json', 'csv')),
  drop column repeated, drop column differing, drop column warned, drop column cleaned,
  drop column columns, drop column read_at;
alter table import_batch
  drop column end_line, drop column warnings, drop column kept_rows, drop column ids,
  drop column first_id, drop column last_id;
