-- Up Migration

create table question_import (
  id uuid primary key default uuidv7(),
  imported_by text not null,
  imported integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  created_at timestamptz not null default now()
);

create table question (
  id bigint generated always as identity primary key,
  -- Random (v4): the option order is seeded by its first segment, which must differ within an import.
  uuid uuid not null unique default gen_random_uuid() check (uuid_extract_version(uuid) = 4),
  language text not null,
  topic text not null,
  question text not null,
  answer text not null,
  incorrect text[] not null check (cardinality(incorrect) between 1 and 9),
  explanation text,
  source_url text,
  checked_at date,
  -- The same question in other languages.
  translation_group text,
  tags text[] not null default '{}',
  validated boolean not null default false,
  retired_at timestamptz,
  -- Two questions of one language with the same key are duplicates.
  text_key uuid not null generated always as (
    md5(casefold(btrim(regexp_replace(normalize(question, nfc), '\s+', ' ', 'g'))))::uuid
  ) stored,
  -- Questions are drawn by a window of this index, at the same cost in a bank of any size.
  draw_key double precision not null default random(),
  import_id uuid references question_import (id),
  created_at timestamptz not null default now()
);
create unique index question_text on question (language, text_key) where retired_at is null;
create index question_draw on question (language, topic, draw_key) include (id)
  where validated and retired_at is null;
create index question_import_id on question (import_id);

-- Apart from question: these rows change all the time, and are narrow.
create table question_statistics (
  question_id bigint primary key references question (id) on delete cascade,
  times_selected integer not null default 0,
  times_correct integer not null default 0,
  times_incorrect integer not null default 0
) with (fillfactor = 80);

create table exam_profile (
  name text primary key,
  questions_shown integer not null,
  questions_counted integer not null check (questions_counted <= questions_shown),
  pass_mark integer not null check (pass_mark <= questions_counted),
  minutes integer not null,
  options_shown integer not null default 3,
  source_url text not null,
  checked_at date not null
);
-- As published by municipalities. The official page is to be checked before launch.
insert into exam_profile
  (name, questions_shown, questions_counted, pass_mark, minutes, source_url, checked_at)
values
  ('samfunnskunnskap', 38, 34, 26, 60, 'https://www.halden.kommune.no/', '2026-11-20'),
  ('statsborger', 36, 32, 24, 60, 'https://www.halden.kommune.no/', '2026-11-20');

create table quiz (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  kind text not null check (kind in ('drill', 'practice_test')),
  topic text not null,
  language text not null,
  instant_feedback boolean not null,
  exam text references exam_profile (name),
  state text not null default 'open' check (state in ('open', 'ended', 'cancelled')),
  started_at timestamptz not null default now(),
  deadline_at timestamptz,
  ended_at timestamptz,
  -- Set when the quiz ends, over the questions that count.
  score integer,
  total integer not null check (total > 0),
  check ((kind = 'practice_test') = (exam is not null)),
  check ((state = 'open') = (ended_at is null)),
  check ((state = 'ended') = (score is not null))
);
create index quiz_account on quiz (account_id, started_at desc);
create index quiz_exam on quiz (exam) where exam is not null;

create table quiz_question (
  quiz_id uuid not null references quiz (id) on delete cascade,
  question_id bigint not null references question (id),
  position integer not null,
  -- Trial questions of a practice test stand outside the score.
  counted boolean not null default true,
  primary key (quiz_id, question_id)
);
create index quiz_question_question on quiz_question (question_id);

create table quiz_answer (
  quiz_id uuid not null,
  question_id bigint not null,
  answer text not null,
  correct boolean not null,
  answered_at timestamptz not null default now(),
  primary key (quiz_id, question_id),
  foreign key (quiz_id, question_id) references quiz_question (quiz_id, question_id)
    on delete cascade
);

-- Down Migration

drop table quiz_answer;
drop table quiz_question;
drop table quiz;
drop table exam_profile;
drop table question_statistics;
drop table question;
drop table question_import;
