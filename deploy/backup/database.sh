# Read by the scripts beside it: where the backups are, the database of DATABASE_URL (or of the file
# DATABASE_URL_FILE), and others on its server.
# shellcheck shell=sh

folder=${BACKUP_FOLDER:-/var/lib/postgresql}
if [ -n "${DATABASE_URL_FILE:-}" ]; then DATABASE_URL=$(cat "$DATABASE_URL_FILE"); fi
: "${DATABASE_URL:?is not set, nor is DATABASE_URL_FILE}"

base=${DATABASE_URL%%\?*}
options=${DATABASE_URL#"$base"}
# shellcheck disable=SC2034
name=${base##*/}

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }

# The URL of another database on the same server.
at() { echo "${base%/*}/$1$options"; }

# ask URL [OPTION…]: what psql answers to its input.
ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }

# Newest first: the names are times.
dumps() { ls -1r "$folder"/proveklar-*.dump 2>/dev/null || true; }

# read_into DATABASE DUMP: reads a dump into a new database; one of this name is dropped before.
read_into() {
  drop_database "$1" &&
    # From template0: objects that the dump creates must not exist yet.
    echo 'create database :"database" template template0' | ask "$(at postgres)" --set=database="$1" &&
    pg_restore --exit-on-error --no-owner --no-privileges --dbname="$(at "$1")" "$2"
}

drop_database() { echo 'drop database if exists :"database"' | ask "$(at postgres)" --set=database="$1"; }

# compare_rows DATABASE ROWS: fails when a table has more or fewer rows than were counted in the dump, and prints both.
compare_rows() {
  awk '{ printf "select '\''%s '\'' || count(*) from %s;\n", $1, $1 }' "$2" | ask "$(at "$1")" | diff "$2" -
}
