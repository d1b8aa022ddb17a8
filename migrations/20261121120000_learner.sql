-- Up Migration

-- Practice tests that are still open, by when their time is up.
create index quiz_deadline on quiz (deadline_at) where state = 'open' and deadline_at is not null;

-- The same question in other languages.
create index question_translation on question (translation_group, language)
  where translation_group is not null and validated and retired_at is null;

-- Questions of a practice test that the learner wants to come back to. Last: it keeps everybody from
-- the table, and the indexes take their time.
alter table quiz_question add column marked boolean not null default false;

-- Down Migration

drop index question_translation;
drop index quiz_deadline;
alter table quiz_question drop column marked;
