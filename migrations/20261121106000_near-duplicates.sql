-- Up Migration

-- Where the text of a question lies among others (services/near-duplicates/signature.ts). Apart from
-- question, because it is filled in the background; a text that is changed gets a new one when the
-- next import is looked through.
create table question_signature (
  question_id bigint primary key references question (id) on delete cascade,
  bands integer[] not null
);
-- What is inserted is looked up at once: a list of pending entries would be read through each time.
create index question_signature_bands on question_signature using gin (bands)
  with (fastupdate = off);

create function forget_question_signature() returns trigger language plpgsql as $$
begin
  delete from question_signature where question_id = new.id;
  return null;
end $$;
create trigger forget_question_signature after update of question, language on question
  for each row when (old.question is distinct from new.question
    or old.language is distinct from new.language)
  execute function forget_question_signature();

-- The search for near-duplicates of what an import brought, and how far it has come.
create table near_duplicate_search (
  import_id uuid primary key references question_import (id) on delete cascade,
  state text not null default 'waiting'
    check (state in ('waiting', 'searching', 'done', 'cancelled')),
  total integer not null,
  checked integer not null default 0,
  found integer not null default 0,
  -- Up to here every question of the import is looked at.
  done_id bigint not null default 0,
  ended_at timestamptz
);

-- A new question and the one most like it among those that were there before.
create table near_duplicate (
  question_id bigint primary key references question (id) on delete cascade,
  similar_id bigint not null references question (id) on delete cascade,
  import_id uuid not null references near_duplicate_search (import_id) on delete cascade,
  similarity real not null,
  -- Somebody has said that they are different.
  dismissed_at timestamptz
);
create index near_duplicate_similar on near_duplicate (similar_id);
create index near_duplicate_listed on near_duplicate (import_id, similarity desc, question_id);

-- Down Migration

drop table near_duplicate, near_duplicate_search, question_signature;
drop trigger forget_question_signature on question;
drop function forget_question_signature;
