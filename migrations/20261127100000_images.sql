-- Up Migration

-- Pictures of questions, each once: their hash names them.
create table image (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/svg+xml', 'image/png', 'image/jpeg')),
  content bytea not null,
  -- In pixels. What counts of an SVG is their ratio.
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- When a question last got it. A picture that no question has is removed a day later.
  stored_at timestamptz not null default clock_timestamp()
);

alter table question add column image_hash text references image;
alter table question add column image_alt text;
-- The place of each option in the picture: [{ "name": an option, "shape": a polygon }].
alter table question add column areas jsonb;
alter table question add constraint question_image
  check ((image_hash is null) = (image_alt is null) and (areas is null or image_hash is not null));
create index question_image_hash on question (image_hash) where image_hash is not null;

alter table question_version add column image_hash text references image;
alter table question_version add column image_alt text;
alter table question_version add column areas jsonb;
create index question_version_image_hash on question_version (image_hash)
  where image_hash is not null;

-- Updates that an import has noted and not applied yet refer to pictures too.
create index import_update_image on import_update ((row->>'image_hash'))
  where row->>'image_hash' is not null;

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
           as checked_at,
         case when old.question_id is null then question.image_hash else old.image_hash end
           as image_hash,
         case when old.question_id is null then question.image_alt else old.image_alt end
           as image_alt,
         case when old.question_id is null then question.areas else old.areas end as areas
  from quiz_question asked
  join question on question.id = asked.question_id
  left join question_version old
    on old.question_id = asked.question_id and old.version = asked.version
    and asked.version < question.version;

-- Down Migration

drop view shown_question;
drop index import_update_image;
alter table question_version drop column areas, drop column image_alt, drop column image_hash;
alter table question drop constraint question_image;
alter table question drop column areas, drop column image_alt, drop column image_hash;
drop table image;
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
