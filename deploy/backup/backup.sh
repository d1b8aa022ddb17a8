#!/bin/sh
# Backs up the database of DATABASE_URL (or of the file DATABASE_URL_FILE):
#   backup.sh         whenever the last backup is BACKUP_EVERY_HOURS old, until it is stopped
#   backup.sh once    now; exits with 1 if it fails
#
# It writes the table backup_run with psql and not through services/, because the image with pg_dump has no
# Node, and the one with Node has no pg_dump.
set -eu
umask 077

folder=${BACKUP_FOLDER:-/var/lib/postgresql}
every_hours=${BACKUP_EVERY_HOURS:-6}
keep=${BACKUP_KEEP:-28}
if [ -n "${DATABASE_URL_FILE:-}" ]; then DATABASE_URL=$(cat "$DATABASE_URL_FILE"); fi
: "${DATABASE_URL:?is not set, nor is DATABASE_URL_FILE}"

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }
ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@" "$DATABASE_URL"; }

# `set -e` has no effect in the functions below, because their callers test the exit status.
back_up() {
  started=$(echo 'select clock_timestamp()' | ask) || return 1
  file=$folder/proveklar-$(date -u +%Y%m%dT%H%M%SZ).dump
  pg_dump --format=custom --file="$file.part" "$DATABASE_URL" || return 1
  # Reads and unpacks the whole file. --list reads only the table of contents at the beginning, and would
  # accept a truncated file.
  pg_restore --file=/dev/null "$file.part" || return 1
  sync "$file.part" && mv "$file.part" "$file" || return 1
  bytes=$(wc -c <"$file")
  echo "insert into backup_run (started_at, bytes) values (:'started', :bytes)" |
    ask --set=started="$started" --set=bytes="$bytes" ||
    say 'the backup is complete, but was not recorded in backup_run: the alert BackupOld will not see it'
  say "backed up: $file, $bytes bytes"
  # Only now, when there is a newer backup.
  dumps | tail -n "+$((keep + 1))" | while read -r old; do rm -f "$old" && say "removed: $old"; done
}

# Newest first: the names are times.
dumps() { ls -1r "$folder"/proveklar-*.dump 2>/dev/null || true; }

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
