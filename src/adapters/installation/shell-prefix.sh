#!/bin/sh
# Sylk's shell prefix, written by "sylk install": starts a client's shell command so that files held by others are read-only.
#   __PREFIX_FILE__ <command line>
home=__HOME__
socket=__SOCKET__
case $# in
  1) ;;
  *)
    echo 'Sylk: usage: __PREFIX_FILE__ <command line>' >&2
    exit 2
    ;;
esac
is_own() { # Sylk's own hooks and status line need no shell of their own; nothing but their exact text is taken for them
  for launch in __LAUNCHES__; do
    rest=${1#"$launch"}
    [ "$rest" != "$1" ] || continue
    case $rest in *[!A-Za-z\ -]*) ;; *) return 0 ;; esac
  done
  return 1
}
! is_own "$1" || exec /bin/sh -c "$1"
if [ -n "${SYLK_SHELL_PREFIX-}" ]; then # another prefix that the user has
  set -- "$SYLK_SHELL_PREFIX" "$1"
else
  shell=${CLAUDE_CODE_SHELL:-${SHELL-}}
  case ${shell##*/} in
    bash | zsh) [ -x "$shell" ] || shell=bash ;;
    *) shell=bash ;;
  esac
  command -v "$shell" >/dev/null 2>&1 || shell=sh
  set -- "$shell" -c "$1"
fi
helper=$home/hooks/__HELPER_FILE__
if [ -r "$helper" ] && command -v perl >/dev/null 2>&1; then exec perl "$helper" ask "$home" "$socket" -- "$@"; fi
exec "$@"
