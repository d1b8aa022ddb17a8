-- Up Migration

create table feedback (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  question_id bigint not null references question (id),
  -- The quiz in which the learner last met the question.
  quiz_id uuid not null references quiz (id),
  type text not null check (type in ('thumbs_down')),
  reason text check (reason in ('wrong_answer', 'unclear', 'outdated', 'language', 'other')),
  comment text check (length(comment) between 1 and 1000),
  state text not null default 'open' check (state in ('open', 'fixed', 'dismissed')),
  created_at timestamptz not null default now(),
  -- One report per learner and question.
  unique (account_id, question_id)
);
create index feedback_question on feedback (question_id);
create index feedback_quiz on feedback (quiz_id);
create index feedback_created on feedback (created_at desc);

alter table question_statistics add column times_reported integer not null default 0;

-- Down Migration

alter table question_statistics drop column times_reported;
drop table feedback;
