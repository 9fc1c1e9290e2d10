#!/bin/sh
__BEGIN__
moves=$(cat)
[ "$1" != prepared ] || printf '%s\n' "$moves" | { __LAUNCH__ git reference-transaction "$PPID"; } || exit 1
before="${0%/*}/reference-transaction__MOVED__"
[ ! -x "$before" ] || printf '%s\n' "$moves" | "$before" "$@" || exit $?
__END__
