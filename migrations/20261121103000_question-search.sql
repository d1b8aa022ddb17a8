-- Up Migration

-- The newest question first, a page at a time.
create index question_listed on question (id) where retired_at is null;
-- The list counts by blocks of ids; not knowing how few there are, the planner would not do so in
-- parallel.
create statistics question_block on (id >> 10) from question;
-- Topics of pending questions too, which question_draw has not.
create index question_topic on question (topic);

-- Trigrams of the questions' texts. Apart from question, because they are filled in the background:
-- kept with every row, they would make an import several times as long.
create extension if not exists pg_trgm;
create table question_search (
  question_id bigint primary key references question (id) on delete cascade,
  -- Case-folded.
  text text not null
);
insert into question_search select id, casefold(question) from question;
create index question_search_text on question_search using gin (text gin_trgm_ops);

-- Null until its questions are in question_search; until then they are looked through one by one.
alter table question_import add column searchable_at timestamptz;
update question_import set searchable_at = now() where state = 'completed';
create index question_import_unsearchable on question_import (id) where searchable_at is null;

-- Whoever changes a text, search finds the new one from the same moment on. It also puts a row there
-- that is not filled in yet: the background, which comes later, then leaves it as it is.
create function keep_question_search() returns trigger language plpgsql as $$
begin
  insert into question_search values (new.id, casefold(new.question))
  on conflict (question_id) do update set text = excluded.text;
  return null;
end $$;
create trigger keep_question_search after update of question on question
  for each row when (old.question is distinct from new.question)
  execute function keep_question_search();

-- Down Migration

drop trigger keep_question_search on question;
drop function keep_question_search;
drop index question_import_unsearchable;
alter table question_import drop column searchable_at;
drop table question_search;
drop index question_topic;
drop statistics question_block;
drop index question_listed;
