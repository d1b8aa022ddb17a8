-- Up Migration

-- The questions that a release of our question bank brought, by their group and language, which are the
-- same in every release.
create table bank_question (
  translation_group text not null,
  language text not null,
  -- Null once an administrator has deleted the question: no release brings it back.
  question_id bigint unique references question on delete set null,
  primary key (translation_group, language)
);

create table bank_release (
  id uuid primary key default gen_random_uuid(),
  applied_at timestamptz not null default now(),
  applied_by text not null check (applied_by = lower(applied_by)),
  -- The import of its new questions; null when it had none.
  import_id uuid unique references question_import on delete set null,
  undone_at timestamptz
);

-- What a release did to questions that were there, for its undo.
create table bank_release_change (
  release_id uuid not null references bank_release on delete cascade,
  question_id bigint not null references question on delete cascade,
  action text not null check (action in ('updated', 'retired')),
  -- The version before, and its tags, which a version does not have.
  version integer not null,
  tags text[] not null,
  primary key (release_id, question_id)
);
create index bank_release_change_question on bank_release_change (question_id);

-- Down Migration

drop table bank_release_change, bank_release, bank_question;
