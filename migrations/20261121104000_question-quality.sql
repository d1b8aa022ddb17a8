-- Up Migration

-- What answers tell of a question, by the version that was shown: an edit starts anew.
create table item_statistics (
  question_id bigint not null references question (id) on delete cascade,
  version integer not null,
  times_correct integer not null default 0,
  times_incorrect integer not null default 0,
  -- How often each option was chosen: the version's own key first, then its distractors in order.
  chosen integer[] not null default '{}',
  -- Over the ended quizzes that measure it: how many there are, in how many it was right, and sums
  -- of the share of right answers in the rest of the quiz. The discrimination follows from these.
  quizzes integer not null default 0,
  quizzes_right integer not null default 0,
  rest_sum double precision not null default 0,
  rest_squares double precision not null default 0,
  rest_right double precision not null default 0,
  primary key (question_id, version)
) with (fillfactor = 80);

-- The ended quizzes that are in those sums.
create table measured_quiz (
  quiz_id uuid primary key references quiz (id) on delete cascade
);

-- What the figures of the current version say; kept by whoever counts, so that nothing has to be
-- computed over the whole bank when the review queue is read.
create table question_quality (
  question_id bigint primary key references question (id) on delete cascade,
  -- It is about this one; after an edit it waits for the next answer.
  version integer not null,
  answers integer not null,
  facility double precision,
  quizzes integer not null,
  discrimination double precision,
  wrong_option_preferred boolean not null default false,
  negative_discrimination boolean not null default false
) with (fillfactor = 80);
create index question_quality_suspect on question_quality (question_id)
  where wrong_option_preferred or negative_discrimination;

-- "Looked at, it is fine", for one reason.
create table quality_dismissal (
  question_id bigint not null references question (id) on delete cascade,
  reason text not null check (reason in
    ('wrong_option_preferred', 'reported', 'negative_discrimination', 'source_outdated')),
  -- As they were then: another version, or twice the answers, are something new.
  version integer not null,
  answers integer not null,
  dismissed_at timestamptz not null default clock_timestamp(),
  primary key (question_id, reason)
);

-- A corrected key, and how far the quizzes that showed the question are regraded.
create table regrade (
  id uuid primary key default uuidv7(),
  question_id bigint not null references question (id) on delete cascade,
  requested_at timestamptz not null default clock_timestamp(),
  -- Up to here every quiz is done.
  last_quiz_id uuid,
  quizzes integer not null default 0,
  completed_at timestamptz
);
create index regrade_question on regrade (question_id, id desc);

-- Results that changed by it: what their learners are told.
create table regraded_quiz (
  regrade_id uuid not null references regrade (id) on delete cascade,
  quiz_id uuid not null references quiz (id) on delete cascade,
  score_before integer not null,
  score_after integer not null,
  primary key (regrade_id, quiz_id)
);
create index regraded_quiz_quiz on regraded_quiz (quiz_id);

alter table quiz add column regraded_at timestamptz;

create index question_version_corrected on question_version (question_id, version) where corrected;
create index feedback_open on feedback (question_id) where state = 'open';
-- An imported question is pending, hence not in here: it costs the import nothing.
create index question_checked on question (checked_at, id)
  where validated and retired_at is null and checked_at is not null;

-- Down Migration

drop index question_checked, feedback_open, question_version_corrected;
alter table quiz drop column regraded_at;
drop table regraded_quiz, regrade, quality_dismissal, question_quality, measured_quiz, item_statistics;
