-- Up Migration

-- The languages of questions. Questions, their versions and quizzes name one by its code, without a
-- foreign key: an import may bring a code that has no row here, which is then a language that is not
-- offered; and checking the key of each of a million rows would slow an import down. The languages of
-- screens and mails are no part of this.
create table language (
  -- BCP 47: language, script, region.
  code text primary key
    check (code ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
  -- In the language itself: its readers look for that.
  name text not null check (length(name) between 1 and 100),
  direction text not null default 'ltr' check (direction in ('ltr', 'rtl')),
  -- Whether learners are asked questions in it.
  offered boolean not null default false,
  updated_at timestamptz,
  updated_by text check (updated_by = lower(updated_by)),
  -- What a quiz is in when its call names none.
  check (offered or code <> 'no')
);

-- What learners were offered so far.
insert into language (code, name, offered) values
  ('no', 'Norsk', true),
  ('en', 'English', true);

-- Languages in which municipalities hold the test in social studies; an import may bring others.
insert into language (code, name, direction) values
  ('nn', 'Nynorsk', 'ltr'),
  ('am', 'አማርኛ', 'ltr'),
  ('ar', 'العربية', 'rtl'),
  ('bs', 'Bosanski', 'ltr'),
  ('ckb', 'کوردیی ناوەندی', 'rtl'),
  ('es', 'Español', 'ltr'),
  ('fa', 'فارسی', 'rtl'),
  ('fil', 'Filipino', 'ltr'),
  ('fr', 'Français', 'ltr'),
  ('kmr', 'Kurdî (kurmancî)', 'ltr'),
  ('lt', 'Lietuvių', 'ltr'),
  ('my', 'မြန်မာ', 'ltr'),
  ('om', 'Afaan Oromoo', 'ltr'),
  ('pl', 'Polski', 'ltr'),
  ('prs', 'دری', 'rtl'),
  ('ps', 'پښتو', 'rtl'),
  ('pt', 'Português', 'ltr'),
  ('ro', 'Română', 'ltr'),
  ('ru', 'Русский', 'ltr'),
  ('rw', 'Ikinyarwanda', 'ltr'),
  ('so', 'Soomaali', 'ltr'),
  ('sq', 'Shqip', 'ltr'),
  ('sw', 'Kiswahili', 'ltr'),
  ('ta', 'தமிழ்', 'ltr'),
  ('th', 'ไทย', 'ltr'),
  ('ti', 'ትግርኛ', 'ltr'),
  ('tr', 'Türkçe', 'ltr'),
  ('uk', 'Українська', 'ltr'),
  ('ur', 'اردو', 'rtl'),
  ('vi', 'Tiếng Việt', 'ltr'),
  ('zh', '中文', 'ltr');

-- Down Migration

drop table language;
