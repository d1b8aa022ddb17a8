-- Up Migration

-- A change of many questions at once, and how far it has come.
create table question_change (
  id uuid primary key default uuidv7(),
  action text not null check (action in ('validate', 'unvalidate', 'retire', 'restore', 'retopic')),
  topic text check ((action = 'retopic') = (topic is not null)),
  -- { ids } or { import_id } or { filter }
  selection jsonb not null,
  -- The administrator's address.
  actor text not null check (actor = lower(actor)),
  state text not null default 'running'
    check (state in ('running', 'completed', 'cancelled', 'undoing', 'undone')),
  -- No question after this one: those that come later were not selected.
  last_id bigint not null,
  -- Up to here every question is looked at.
  done_id bigint not null default 0,
  total integer not null,
  done integer not null default 0,
  changed integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  undone_by text
);
create index question_change_created on question_change (created_at desc);

-- What it changed, some thousands of questions at a time; a batch that is undone is gone.
create table question_change_batch (
  change_id uuid not null references question_change (id) on delete cascade,
  number integer not null,
  ids bigint[] not null,
  -- Of retopic: what each had before, in the same order.
  topics text[],
  primary key (change_id, number)
);

-- Down Migration

drop table question_change_batch, question_change;
