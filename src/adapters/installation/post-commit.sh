#!/bin/sh
__BEGIN__
__LAUNCH__ git post-commit "$PPID" </dev/null
before="${0%/*}/post-commit__MOVED__"
[ ! -x "$before" ] || "$before" "$@" || exit $?
__END__
