#!/bin/sh
# Backs up the database of DATABASE_URL (or of the file DATABASE_URL_FILE):
#   backup.sh         whenever the last backup is BACKUP_EVERY_HOURS old, until it is stopped
#   backup.sh once    now; exits with 1 if it fails
#
# It writes the table backup_run with psql and not through services/, because the image with pg_dump has no
# Node, and the one with Node has no pg_dump.
set -eu
umask 077
# shellcheck source=deploy/backup/database.sh
. "${0%/*}/database.sh"

every_hours=${BACKUP_EVERY_HOURS:-6}
keep=${BACKUP_KEEP:-28}

# `set -e` has no effect in the functions below, because their callers test the exit status.
back_up() {
  # By the clock of the database. The file has this name, and offsite.sh finds the row of backup_run by it.
  started=$(echo "select to_char(clock_timestamp() at time zone 'UTC', 'YYYYMMDD\"T\"HH24MISS\"Z\"')" |
    ask "$DATABASE_URL") || return 1
  dump=$folder/proveklar-$started.dump
  rows=$folder/proveklar-$started.rows
  pg_dump --format=custom --file="$dump.part" "$DATABASE_URL" || return 1
  count_rows "$dump.part" >"$rows.part" || return 1
  sync "$dump.part" "$rows.part" && mv "$rows.part" "$rows" && mv "$dump.part" "$dump" || return 1
  bytes=$(wc -c <"$dump")
  echo "insert into backup_run (started_at, bytes) values (:'started', :bytes)" |
    ask "$DATABASE_URL" --set=started="$started" --set=bytes="$bytes" ||
    say 'the backup is complete, but was not recorded in backup_run: the alert BackupOld will not see it'
  say "backed up: $dump, $bytes bytes"
  # Only now, when there is a newer backup.
  dumps | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "$old" "${old%.dump}.rows" && say "removed: $old"
  done
}

# count_rows DUMP: prints each table with the number of its rows; fails when the dump is not complete. Reads and unpacks
# the whole file: --list reads only the table of contents at the beginning, and would accept a truncated file.
count_rows() {
  # The last line tells awk that pg_restore succeeded.
  { pg_restore --file=- "$1" && echo COMPLETE; } | awk '
    table == "" && /^COPY .* FROM stdin;$/ { table = $2; rows = 0; next }
    table != "" && $0 == "\\." { print table, rows; table = ""; next }
    table != "" { rows++ }
    { last = $0 }
    END { exit !(table == "" && last == "COMPLETE") }'
}

# Removes incomplete backups.
tidy() { rm -f "$folder"/proveklar-*.part; }

is_due() { [ -z "$(find "$folder" -name 'proveklar-*.dump' -mmin "-$((every_hours * 60))")" ]; }

if [ "${1:-}" = once ]; then
  if back_up; then exit 0; fi
  tidy
  say 'the backup failed'
  exit 1
fi

trap 'exit 0' TERM INT
tidy
say "every $every_hours hours, the last $keep are kept"
while :; do
  pause=60
  if is_due && ! back_up; then
    tidy
    say 'the backup failed; next attempt in ten minutes'
    pause=600
  fi
  # In the background, so that the trap runs while it sleeps.
  sleep "$pause" &
  wait $!
done
