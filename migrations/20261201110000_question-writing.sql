-- Up Migration

-- Questions that an editor wrote have no import, whose author theirs would be.
alter table question add column created_by text check (created_by = lower(created_by));
-- The lists that gateways cache must have them at once. Rows of imports are seen when their import ends.
create trigger mark_bank_revision_of_written after insert on question
  for each row when (new.import_id is null) execute function mark_bank_revision();
-- Counts every edit, also of what has no versions (tags, dates): two editors never overwrite each other's.
alter table question add column revision integer not null default 1;
create function count_question_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger count_question_revision before update on question for each row
  when ((old.version, old.tags, old.checked_at, old.excludes, old.valid_from, old.ages)
    is distinct from (new.version, new.tags, new.checked_at, new.excludes, new.valid_from, new.ages))
  execute function count_question_revision();
-- The translations of a question, in all states.
create index question_group on question (translation_group) where translation_group is not null;

-- An editor has looked: at this time, the two questions said the same. Both directions have a row.
create table question_alignment (
  question_id bigint not null references question (id) on delete cascade,
  sibling_id bigint not null references question (id) on delete cascade,
  checked_at timestamptz not null default clock_timestamp(),
  checked_by text not null,
  primary key (question_id, sibling_id)
);
create index question_alignment_sibling on question_alignment (sibling_id);

-- Who has the page of a question open. A row without a heartbeat is deleted by the next one.
create table question_presence (
  question_id bigint not null references question (id) on delete cascade,
  email text not null,
  -- Whether there is typed text that is not saved.
  writing boolean not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (question_id, email)
);
create index question_presence_seen on question_presence (seen_at);

-- Down Migration

drop table question_presence, question_alignment;
drop index question_group;
drop trigger count_question_revision on question;
drop function count_question_revision;
alter table question drop column revision;
drop trigger mark_bank_revision_of_written on question;
alter table question drop column created_by;
