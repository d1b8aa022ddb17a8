#!/bin/sh
# Keeps copies of the backups off this machine, in the repository of restic that RESTIC_REPOSITORY names; restic encrypts
# them before they leave:
#   offsite.sh watch [SECONDS]     sends each new backup, and restores the newest copy once a week as a test, until it is
#                                  stopped; looks every minute, or as often as said
#   offsite.sh once                sends the newest backup now; exits with 1 if it fails
#   offsite.sh verify              restores the newest copy into a database that it drops again; exits with 1 if it fails
#   offsite.sh list                lists the copies
#   offsite.sh fetch [SNAPSHOT]    brings the newest copy back into the folder of backups, or the one of a snapshot
#
# It writes the table backup_copy with psql, for the same reason as backup.sh.
set -eu
umask 077
# shellcheck source=deploy/backup/database.sh
. "${0%/*}/database.sh"

keep_days=${OFFSITE_KEEP_DAYS:-35}
: "${RESTIC_REPOSITORY:?is not set: no backup is sent off this machine}"
if [ -n "${AWS_SECRET_ACCESS_KEY_FILE:-}" ]; then
  AWS_SECRET_ACCESS_KEY=$(cat "$AWS_SECRET_ACCESS_KEY_FILE")
  export AWS_SECRET_ACCESS_KEY
fi
if [ -z "${RESTIC_PASSWORD:-}${RESTIC_PASSWORD_FILE:-}" ]; then
  echo 'RESTIC_PASSWORD is not set, nor is RESTIC_PASSWORD_FILE.' >&2
  exit 1
fi

# The name of the last backup that was sent, and when a copy was last restored as a test. Files, and not the database: a
# backup is sent although the database is down.
sent_file=$folder/offsite-sent
verified_file=$folder/offsite-verified
fetched=$folder/offsite-fetched
scratch=${name}_verifying

# Whichever host sends it: all are copies of one database, and containers change their names.
host=proveklar
# A store that works answers within a second. Alone, restic tries for a quarter of an hour.
patience=30

# Without a cache: the repository is small, and nothing of it stays on a disk of this machine.
store() { restic --no-cache --quiet "$@"; }
record() { ask "$DATABASE_URL" "$@" || say 'this was not recorded in backup_copy: the alerts will not see it'; }
time_of() { basename "$1" .dump | cut -d- -f2; }

# `set -e` has no effect in the functions below, because their callers test the exit status.

# Opens the repository, and says why it cannot.
open_store() {
  if answer=$(timeout "$patience" restic --no-cache --no-lock cat config 2>&1); then
    return 0
  fi
  case $answer in
    *'wrong password'*)
      say 'RESTIC_PASSWORD is not a password of the repository'
      return 2
      ;;
  esac
  say "the store cannot be opened: $(echo "$answer" | grep -v '^$' | head -n 1)"
  return 1
}

# Opens the repository, and creates it before the first backup is sent. Later, one that is missing is a fault.
open_or_create() {
  code=0
  open_store || code=$?
  if [ "$code" -eq 0 ]; then return 0; fi
  if [ "$code" -eq 2 ] || [ -e "$sent_file" ]; then return 1; fi
  # It refuses where there is a repository.
  timeout "$patience" restic --no-cache --quiet init >/dev/null 2>&1 && say 'created the repository'
}

send() {
  dump=$(dumps | head -n 1)
  if [ -z "$dump" ]; then
    say 'there is no backup yet'
    return 1
  fi
  time=$(time_of "$dump")
  echo "insert into backup_copy (dumped_at) values (:'time') on conflict do nothing" | record --set=time="$time"
  open_or_create || return 1
  (
    cd "$folder" || exit 1
    # A backup of an earlier version has no list of its rows.
    set -- "proveklar-$time.dump"
    if [ -e "proveklar-$time.rows" ]; then set -- "$@" "proveklar-$time.rows"; fi
    store backup --host "$host" "$@"
  ) || return 1
  basename "$dump" >"$sent_file"
  echo "insert into backup_copy (dumped_at, sent_at) values (:'time', now())
    on conflict (dumped_at) do update set sent_at = excluded.sent_at" | record --set=time="$time"
  say "sent: $dump"
  # One a day of the last week, one a week before that. Each copy has another file, so they are not grouped by path.
  store forget --host "$host" --group-by host --keep-within-daily 7d --keep-within-weekly "${keep_days}d" --prune ||
    say 'copies that are too old could not be removed'
}

# fetch_copy SNAPSHOT: puts a dump and the list of its rows into $fetched.
fetch_copy() {
  rm -rf "$fetched"
  store restore "$1" --host "$host" --target "$fetched"
}

verify() {
  restored=no
  if open_store && store check && fetch_copy latest && restore_fetched; then restored=yes; fi
  rm -rf "$fetched"
  drop_database "$scratch" || true
  [ "$restored" = yes ] || return 1
  touch "$verified_file"
  # Where the database was restored since, it does not know of the copy yet.
  echo "insert into backup_copy (dumped_at, sent_at, verified_at, verified_rows) values (:'time', now(), now(), :rows)
    on conflict (dumped_at) do update
    set verified_at = excluded.verified_at, verified_rows = excluded.verified_rows" |
    record --set=time="$time" --set=rows="$total"
  say "restored as a test: the copy of $time, with $total rows in $tables tables"
}

restore_fetched() {
  dump=$(ls "$fetched"/proveklar-*.dump) || return 1
  time=$(time_of "$dump")
  list=${dump%.dump}.rows
  if [ ! -s "$list" ]; then
    say "the copy of $time has no list of its rows: an earlier version made it. The next one will have it"
    return 1
  fi
  tables=$(wc -l <"$list")
  total=$(awk '{ rows += $2 } END { print rows }' "$list")
  read_into "$scratch" "$dump" && compare_rows "$scratch" "$list"
}

fetch() {
  open_store && fetch_copy "${1:-latest}" || return 1
  for file in "$fetched"/proveklar-*; do
    mv "$file" "$folder" && say "fetched: $folder/${file##*/}"
  done
  rm -rf "$fetched"
}

is_unsent() {
  newest=$(dumps | head -n 1)
  [ -n "$newest" ] && [ "$(cat "$sent_file" 2>/dev/null)" != "$(basename "$newest")" ]
}
is_unverified() { [ -e "$sent_file" ] && [ -z "$(find "$verified_file" -mtime -7 2>/dev/null)" ]; }

watch() {
  pause=${1:-60}
  next_test=0
  trap 'exit 0' TERM INT
  say "sends each backup; copies are kept for $keep_days days"
  # The locks of this container before it was killed. Not later: restic takes a lock of another container of this host name
  # for one whose process has ended.
  if open_store >/dev/null; then store unlock; fi
  while :; do
    now=$(date +%s)
    if is_unsent && ! send; then say "not sent; next attempt in $pause s"; fi
    if [ "$now" -ge "$next_test" ] && is_unverified && ! verify; then
      # Not sooner: it writes as much as the database has, beside the learners' own.
      say 'the test restore failed; next attempt in a day'
      next_test=$((now + 86400))
    fi
    # In the background, so that the trap runs while it sleeps.
    sleep "$pause" &
    wait $!
  done
}

case ${1:-} in
  watch) watch "${2:-60}" ;;
  once) send || { say 'not sent' && exit 1; } ;;
  verify) verify || { say 'the test restore failed' && exit 1; } ;;
  list) open_store && restic --no-cache snapshots --host "$host" ;;
  fetch) fetch "${2:-latest}" || { say 'nothing was fetched' && exit 1; } ;;
  *)
    sed -n '2,/^set -eu/{/^#/s/^# \{0,1\}//p;}' "$0"
    exit 1
    ;;
esac
