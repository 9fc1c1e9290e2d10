#!/bin/sh
__BEGIN__
__LAUNCH__ git pre-commit "$PPID" || exit 1
before="${0%/*}/pre-commit__MOVED__"
[ ! -x "$before" ] || "$before" "$@" || exit $?
__END__
