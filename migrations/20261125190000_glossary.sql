-- Up Migration

-- Hard words of questions, explained to learners in plain Norwegian and in English.
create table glossary_entry (
  id uuid primary key default uuidv7(),
  -- As learners read it, such as 'fagforening'.
  word text not null check (length(word) between 1 and 60),
  -- One plain sentence.
  norwegian text not null check (length(norwegian) between 1 and 200),
  english text not null check (length(english) between 1 and 200),
  -- Optimistic lock: every change increments it.
  revision integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null check (updated_by = lower(updated_by))
);

-- What a text is searched for: the word itself, at position 0, and its inflected forms. A form belongs to
-- one entry, so that a word of a text has one explanation.
create table glossary_form (
  -- The form in Unicode NFC and lower case, with single spaces.
  form_key text primary key,
  form text not null check (length(form) between 1 and 60),
  entry_id uuid not null references glossary_entry (id) on delete cascade,
  position integer not null check (position >= 0),
  unique (entry_id, position)
);

-- Down Migration

drop table glossary_form, glossary_entry;
