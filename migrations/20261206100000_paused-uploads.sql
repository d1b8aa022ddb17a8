-- Up Migration

-- A worker of the version before knows no paused uploads: it takes one for an import that is over, and deletes its file.
-- The sender could then neither resume it nor see why. Drop this when no worker of that version can run.
create function keep_resumable_chunks() returns trigger language plpgsql as $$
begin
  if exists (select from question_import
             where id = old.import_id and resumable and state in ('receiving', 'paused')) then
    return null;
  end if;
  return old;
end $$;
create trigger keep_resumable_chunks before delete on import_chunk
  for each row execute function keep_resumable_chunks();

-- Down Migration

drop trigger keep_resumable_chunks on import_chunk;
drop function keep_resumable_chunks;
