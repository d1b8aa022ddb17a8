-- Up Migration

-- The language whose questions fill up a practice test, where the bank has only a part of its questions in this
-- one. It is used while it is offered itself. One step only: the fallback of a fallback is not looked at.
alter table language
  add column fallback text references language (code),
  add check (fallback <> code);
create index language_fallback on language (fallback);

-- Two written forms of one language: who reads one reads the other.
update language set fallback = 'no' where code = 'nn';

-- Down Migration

alter table language drop column fallback;
