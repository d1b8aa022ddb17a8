-- Up Migration

-- Rows that went in although learners are not offered their language, as runs of consecutive rows:
-- [{"language": "pl", "first": 1, "last": 4999}]. A file in one language has one run in each batch.
alter table import_batch add column not_offered jsonb not null default '[]';
-- The same counted by language: {"pl": 4999}.
alter table question_import add column not_offered jsonb not null default '{}';

-- Down Migration

alter table question_import drop column not_offered;
alter table import_batch drop column not_offered;
