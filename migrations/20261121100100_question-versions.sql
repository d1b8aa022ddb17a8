-- Up Migration

-- What a question was before an edit. The question itself has the newest version.
alter table question add column version integer not null default 1;
create table question_version (
  question_id bigint not null references question (id) on delete cascade,
  version integer not null,
  language text not null,
  topic text not null,
  question text not null,
  answer text not null,
  incorrect text[] not null,
  explanation text,
  source_url text,
  checked_at date,
  -- The key as it was found to be later, when this version had a wrong one. Always one of its
  -- options, or null with every option wrong.
  corrected boolean not null default false,
  corrected_answer text,
  replaced_at timestamptz not null default clock_timestamp(),
  -- The administrator's address.
  replaced_by text not null,
  -- The import that replaced it, if one did: undoing it brings this version back.
  import_id uuid,
  primary key (question_id, version),
  check (corrected or corrected_answer is null)
);
create index question_version_import on question_version (import_id) where import_id is not null;

-- A quiz reads the version that it showed.
alter table quiz_question add column version integer not null default 1;
create view shown_question as
  select asked.quiz_id, asked.question_id, asked.position, asked.counted, asked.version,
         question.uuid,
         case when old.question_id is null then question.language else old.language end as language,
         case when old.question_id is null then question.topic else old.topic end as topic,
         case when old.question_id is null then question.question else old.question end as question,
         case when old.question_id is null then question.answer else old.answer end as answer,
         case when old.question_id is null then question.incorrect else old.incorrect end
           as incorrect,
         case when old.question_id is null then question.explanation else old.explanation end
           as explanation,
         case when old.question_id is null then question.source_url else old.source_url end
           as source_url,
         coalesce(old.corrected, false) as corrected,
         old.corrected_answer
  from quiz_question asked
  join question on question.id = asked.question_id
  left join question_version old
    on old.question_id = asked.question_id and old.version = asked.version
    and asked.version < question.version;

-- Down Migration

drop view shown_question;
alter table quiz_question drop column version;
drop table question_version;
alter table question drop column version;
