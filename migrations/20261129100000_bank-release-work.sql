-- Up Migration

-- That a release of our question bank is applied or undone: an administrator requests it, and a worker does it.
create table bank_release_work (
  id uuid primary key default uuidv7(),
  action text not null check (action in ('apply', 'undo')),
  -- Of apply: the files that the administrator saw the plan of.
  fingerprint text check (fingerprint ~ '^[0-9a-f]{64}$'),
  -- Of undo: the release. That of apply gets the id of this row.
  release_id uuid,
  requested_by text not null check (requested_by = lower(requested_by)),
  requested_at timestamptz not null default clock_timestamp(),
  state text not null default 'running' check (state in ('running', 'completed', 'failed')),
  failure text check (failure in ('other_release', 'failed')),
  attempts smallint not null default 0,
  ended_at timestamptz,
  check ((action = 'apply') = (fingerprint is not null)),
  check ((action = 'undo') = (release_id is not null)),
  check ((state = 'failed') = (failure is not null)),
  check ((state = 'running') = (ended_at is null))
);
-- One at a time.
create unique index bank_release_work_running on bank_release_work ((true)) where state = 'running';
create index bank_release_work_requested on bank_release_work (requested_at desc);

-- Down Migration

drop table bank_release_work;
