-- Up Migration

-- Why each wrong option is wrong, in the order of `incorrect`; null without any reason.
alter table question add column incorrect_reasons text[];
alter table question add column source_title text;
-- Translation groups that must not stand in the same test.
alter table question add column excludes text[] not null default '{}';
alter table question add column valid_from date;
-- The year in which the fact is to be looked at again.
alter table question add column ages smallint;

alter table question_version add column incorrect_reasons text[];
alter table question_version add column source_title text;
alter table question_version add column excludes text[] not null default '{}';
alter table question_version add column valid_from date;
alter table question_version add column ages smallint;

create or replace view shown_question as
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
         old.corrected_answer,
         case when old.question_id is null then question.incorrect_reasons
           else old.incorrect_reasons end as incorrect_reasons,
         case when old.question_id is null then question.source_title else old.source_title end
           as source_title,
         case when old.question_id is null then question.checked_at else old.checked_at end
           as checked_at
  from quiz_question asked
  join question on question.id = asked.question_id
  left join question_version old
    on old.question_id = asked.question_id and old.version = asked.version
    and asked.version < question.version;

-- Down Migration

drop view shown_question;
alter table question_version drop column ages, drop column valid_from, drop column excludes,
  drop column source_title, drop column incorrect_reasons;
alter table question drop column ages, drop column valid_from, drop column excludes,
  drop column source_title, drop column incorrect_reasons;
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
