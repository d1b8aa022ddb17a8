-- Up Migration

-- What a learner remembers of a question: FSRS memory state, computed from the learner's answers in
-- the order of answered_at. It can be rebuilt from quiz_answer at any time.
create table learner_question (
  -- Without foreign keys: every row follows a quiz_answer. One on the account would lock it after the quiz,
  -- which a deletion locks in the other order; one on the question would need an index.
  account_id uuid not null,
  question_id bigint not null,
  -- Answers whose result the learner was shown.
  times_shown integer not null,
  times_right integer not null,
  -- The first answer measures what the learner knew without our help.
  first_correct boolean not null,
  last_correct boolean not null,
  last_answered_at timestamptz not null,
  -- In days: after so long the learner remembers with a probability of 0.9.
  stability double precision not null,
  -- From 1 to 10, as FSRS has it. How hard a question is for everyone is in question_difficulty.
  difficulty double precision not null,
  -- A day in Europe/Oslo.
  due_on date not null,
  -- Optimistic lock: every write increments it.
  revision integer not null default 1,
  primary key (account_id, question_id)
) with (fillfactor = 80);

-- The one pass over all accounts that fills learner_question, and the later ones that repair it.
create table learning_rebuild (
  id boolean primary key default true check (id),
  -- Every account up to this one is done; null at the beginning of a pass.
  last_account_id uuid,
  pass_started_at timestamptz not null default now(),
  -- Only accounts with quizzes since this time; null for all.
  quizzes_since timestamptz,
  completed_at timestamptz
);
insert into learning_rebuild default values;

-- How hard a question is, in logits: 0 is as hard as the average. From the last refit.
create table question_difficulty (
  question_id bigint primary key references question (id) on delete cascade,
  difficulty real not null,
  answers integer not null
);

-- The last refit of what is common to all learners; none before the first one.
create table learning_fit (
  id boolean primary key default true check (id),
  fitted_at timestamptz not null default now(),
  answers integer not null,
  parameters jsonb not null
);

-- What a learner plans.
create table learner_plan (
  account_id uuid primary key references account (id),
  exam text not null default 'samfunnskunnskap',
  exam_date date,
  daily_goal integer not null default 20 check (daily_goal between 5 and 100),
  reminders boolean not null default false,
  -- When the learner last agreed to reminders or took it back.
  reminders_changed_at timestamptz,
  last_reminded_on date,
  -- Whether support may see progress and readiness.
  support_access boolean not null default false,
  -- The exam date of which the learner was last asked, or declined to say, how it went.
  outcome_answered_for date
);
create index learner_plan_reminders on learner_plan (account_id) where reminders;

-- How exams went that learners told us of, to compare readiness with. Nothing says who it was.
create table exam_outcome (
  id uuid primary key default gen_random_uuid(),
  exam text not null,
  passed boolean not null,
  -- What readiness said on the last look before the exam; null when it said nothing.
  probability real,
  -- The first day of the month in which it was told.
  told_in date not null default date_trunc('month', now() at time zone 'Europe/Oslo')::date
);

-- How long the browser showed the question before the answer, in milliseconds; null when not known.
-- Without a check, which would read the whole table under its lock.
alter table quiz_answer add column shown_ms integer;
-- How often the learner had been shown the question before this quiz: seeds the order of the options
-- in repetition.
alter table quiz_question add column times_shown integer not null default 0;

-- 'today' asks for today's practice, so no topic may have that name.
update question set topic = 'today (topic)' where topic = 'today';

-- Down Migration

alter table quiz_question drop column times_shown;
alter table quiz_answer drop column shown_ms;
drop table exam_outcome, learner_plan, learning_fit, question_difficulty, learning_rebuild, learner_question;
