#!/bin/sh
# Replaces the database of DATABASE_URL (or DATABASE_URL_FILE) with a backup:
#   restore.sh          lists the backups
#   restore.sh FILE     restores one
#
# Restores into a new database, and renames the two when it is complete. Keeps the former database.
# docs/operations/backup.md says what to stop before, and what to do afterwards.
set -eu
# shellcheck source=deploy/backup/database.sh
. "${0%/*}/database.sh"

if [ $# -eq 0 ]; then
  ls -lr "$folder"/proveklar-*.dump
  exit 0
fi
file=$1
[ -r "$file" ] || file=$folder/$1
[ -r "$file" ] || { echo "There is no file $1, nor in $folder." >&2; exit 1; }

restoring=${name}_restoring
kept=${name}_until_$(date -u +%Y%m%d_%H%M%S)

# Checked now and not after an hour of restoring.
others=$(echo "select string_agg(distinct coalesce(nullif(application_name, ''), usename), ', ')
  from pg_stat_activity where datname = :'name'" | ask "$(at postgres)" --set=name="$name")
if [ -n "$others" ]; then
  echo "Still connected to $name: $others. Stop them first." >&2
  exit 1
fi

echo "Reading $file into $restoring …"
read_into "$restoring" "$file"
# A backup of an earlier version has no list of its rows.
rows=${file%.dump}.rows
if [ -e "$rows" ] && ! compare_rows "$restoring" "$rows"; then
  echo "These tables have other rows than the backup. $name stays as it is." >&2
  exit 1
fi
# Otherwise the planner has no statistics of the restored tables.
echo 'analyze' | ask "$(at "$restoring")"
echo "It holds:"
ask "$(at "$restoring")" <<'SQL'
select format('  %s accounts, the last of %s', count(*), max(registered_at)) from account;
select format('  %s payments, the last of %s', count(*), max(created_at)) from payment;
select format('  %s quizzes, the last of %s', count(*), max(started_at)) from quiz;
SQL

ask "$(at postgres)" --set=name="$name" --set=restoring="$restoring" --set=kept="$kept" <<'SQL'
begin;
alter database :"name" rename to :"kept";
alter database :"restoring" rename to :"name";
commit;
SQL
echo "$name is restored from the backup; the former database is kept as $kept."
echo 'Continue as in docs/operations/backup.md: empty Redis, migrate, start, doctor, reconcile.'
