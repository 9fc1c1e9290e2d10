# Sylk's start of a bash command, written by "sylk install": bash reads it first (BASH_ENV) and starts the command again, so
# that files held by others are read-only. The text of the command stays as it is: the client's permission rules read that.
# Only a command that the client itself has started; SYLK_SHELL_START is its process.
__sylk_start=${SYLK_SHELL_START-}
unset SYLK_SHELL_START
if [ -n "${SYLK_BASH_ENV-}" ]; then export BASH_ENV=$SYLK_BASH_ENV; else unset BASH_ENV; fi # the user's own
unset SYLK_BASH_ENV
if [ "$__sylk_start" = "$PPID" ] && [ -n "${BASH_EXECUTION_STRING-}" ] && [ -r __HELPER__ ] && command -v perl >/dev/null 2>&1; then
  unset __sylk_start
  if shopt -q login_shell; then set -- -l -c "$BASH_EXECUTION_STRING" "$0" "$@"; else set -- -c "$BASH_EXECUTION_STRING" "$0" "$@"; fi
  exec perl __HELPER__ ask __HOME__ __SOCKET__ -- "$BASH" "$@"
fi
unset __sylk_start
[ -z "${BASH_ENV-}" ] || [ ! -r "$BASH_ENV" ] || . "$BASH_ENV"
