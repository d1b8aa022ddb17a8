-- Up Migration

-- What the gateways keep of the question list (its total, its order) holds for as long as nobody has
-- changed the bank. A row for each statement that did, seen with the change itself and not before;
-- not a counter, which whoever changes a question would have to wait for.
create table bank_revision (id bigint generated always as identity primary key);

create function mark_bank_revision() returns trigger language plpgsql as $$
declare
  revision bigint;
begin
  insert into bank_revision default values returning id into revision;
  if revision % 100 = 0 then
    delete from bank_revision where id in (
      select id from bank_revision where id < revision - 500 for update skip locked);
  end if;
  return null;
end $$;

-- Not after an insert: only imports add questions, and those are seen when the import's state says so.
create trigger mark_bank_revision after update or delete or truncate on question
  for each statement execute function mark_bank_revision();
create trigger mark_bank_revision after insert or update of state, removed_at or delete
  on question_import for each statement execute function mark_bank_revision();

-- Down Migration

drop trigger mark_bank_revision on question_import;
drop trigger mark_bank_revision on question;
drop function mark_bank_revision;
drop table bank_revision;
