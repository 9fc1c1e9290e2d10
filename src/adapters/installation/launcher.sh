#!/bin/sh
# Sylk's hook launcher, written by "__WRITER__": asks the daemon and passes its answer on.
#   __LAUNCHER_FILE__ <client> <event> [pid of git]    with what the client says on standard input
# Exit code 2 is an intended denial and nothing else.
__PLACES__
client=${1-}
event=${2-}
git_pid=${3-}
nl='
'

ask() { # seconds; the answer goes to standard output, and the exit code is curl's
  if command -v curl >/dev/null 2>&1; then
    curl -q -s -f --noproxy '*' --max-time "$1" --unix-socket "$socket" -H 'Content-Type: application/octet-stream' \
      -H 'Expect:' -H "sylk-pid: $pid" --data-binary @- "http://localhost/v1/hooks/$client/$event"
    return
  fi
  [ -x "$node" ] || node=$(command -v node) || return 127
  "$node" "${0%/*}/__EXCHANGE_FILE__" "$socket" "/v1/hooks/$client/$event" "$1" "$pid" "$home"
}

cause_of() { # exit code of ask
  case $1 in
    6 | 7) echo 'the daemon does not answer at its socket' ;;
    22) echo 'the daemon refused the call' ;;
    28) echo 'the daemon does not answer in time' ;;
    127) echo 'there is neither curl nor node' ;;
    *) echo "the call failed ($1)" ;;
  esac
}

json() { printf '%s' "$1" | LC_ALL=C tr -d '\000-\037\177' | sed 's/[\\"]/\\&/g'; }

note() { # cause; one line for the next daemon to count
  file=$home/log/hook-outcomes.jsonl
  [ -d "$home" ] || return 0
  umask 077
  mkdir -p "$home/log" 2>/dev/null || return 0
  if [ -f "$file" ] && [ $(($(wc -c <"$file"))) -gt 1040000 ]; then
    tail -c 520000 "$file" | sed 1d >"$file.$$" && mv "$file.$$" "$file"
  fi
  who=${CLAUDE_CODE_SESSION_ID-${GEMINI_SESSION_ID-}}
  if [ -n "$who" ]; then who=",\"agentKey\":\"$(json "$who")\""; fi
  printf '{"at":%s000,"component":"hook/%s/%s","outcome":"degraded","cause":"%s"%s,"project":"%s"}\n' \
    "$(date +%s)" "$client" "$event" "$(json "$1")" "$who" "$(json "${CLAUDE_PROJECT_DIR-$PWD}")" 2>/dev/null >>"$file"
}

once_a_session() { # after its first success: what an installed client library has to say, at most a line or two
  [ -r "$home/hooks/__LIBRARY_FILE__" ] || [ -n "${SYLK_CLIENT_LIBRARY-}" ] || return 0
  who=${CLAUDE_CODE_SESSION_ID-${GEMINI_SESSION_ID-$pid}}
  case $who in '' | *[!A-Za-z0-9_-]*) return 0 ;; esac
  said=$home/nudges/sessions
  [ ! -d "$said/$who" ] || return 0
  umask 077
  mkdir -p "$said" 2>/dev/null && mkdir "$said/$who" 2>/dev/null || return 0 # one of several at once makes it
  [ -x "$node" ] || node=$(command -v node) || return 0
  "$node" "${0%/*}/__EXCHANGE_FILE__" nudge "$home" "$client" "$who" "${CLAUDE_PROJECT_DIR-$PWD}" </dev/null >/dev/null
}

client_pid() { # the nearest ancestor that is no shell: clients start hooks by one, which may have replaced itself
  pid=$PPID
  while name=$(name_of "$pid"); do
    case ${name##*/} in
      sh | dash | bash | zsh | ksh | ash | busybox | fish | -*) ;;
      claude | node | MainThread) break ;;
      *) is_script "$pid" || break ;;
    esac
    pid=$(parent_of "$pid")
    case $pid in '' | 0 | 1) break ;; esac
  done
  case $pid in '' | 0 | 1) ;; *) echo "$pid" ;; esac
}

is_script() { # pid; Linux names a script after its file, so a user's own shell prefix would pass for the client
  case $(readlink "/proc/$1/exe" 2>/dev/null) in
    */sh | */dash | */bash | */zsh | */ksh* | */ash | */busybox | */fish) return 0 ;;
  esac
  return 1
}

name_of() { # pid
  if [ -r "/proc/$1/comm" ]; then
    read -r name <"/proc/$1/comm" && echo "$name"
  else
    ps -o comm= -p "$1" 2>/dev/null
  fi
}

parent_of() { # pid
  if [ -r "/proc/$1/status" ]; then
    while read -r field value _; do
      if [ "$field" = PPid: ]; then echo "$value"; return; fi
    done <"/proc/$1/status"
  else
    ps -o ppid= -p "$1" 2>/dev/null | tr -d ' '
  fi
}

ancestors() {
  pid=$PPID
  list=$pid
  count=0
  while [ "$count" -lt 40 ]; do
    pid=$(parent_of "$pid")
    case $pid in '' | 0 | 1) break ;; esac
    list=$list,$pid
    count=$((count + 1))
  done
  echo "$list"
}

is_under_way() { # a merge, pick or rebase brings what others wrote: it is no revert of theirs
  for sign in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
    [ ! -e "$(git rev-parse --git-path "$sign")" ] || return 0
  done
  return 1
}

tree_here() { # the tree of this git folder, whatever GIT_WORK_TREE says; empty where it has none
  folder=$(git rev-parse --absolute-git-dir 2>/dev/null) || return
  if [ -r "$folder/gitdir" ]; then
    read -r link <"$folder/gitdir"
    printf '%s\n' "${link%/.git}"
  else
    case $folder in
      */.git) printf '%s\n' "${folder%/.git}" ;;
      *) [ "$(git rev-parse --is-inside-work-tree 2>/dev/null)" != true ] || printf '%s\n' "$PWD" ;;
    esac
  fi
}

commit_facts() { # records that end with NUL, then an empty one, then what changes, as git tells it
  printf 'tree=%s\0' "$tree"
  if [ -n "${SYLK_AGENT-}" ]; then printf 'agent=%s\0' "$SYLK_AGENT"; fi
  if [ -n "${CLAUDE_CODE_SESSION_ID-}" ]; then
    printf 'session=claude-code:%s\0pid=%s\0' "$CLAUDE_CODE_SESSION_ID" "${CLAUDE_PID-}"
  elif [ -n "${CODEX_SESSION_ID-}" ]; then
    printf 'session=codex:%s\0' "$CODEX_SESSION_ID"
  elif [ -n "${GEMINI_SESSION_ID-}" ]; then
    printf 'session=gemini:%s\0' "$GEMINI_SESSION_ID"
  elif [ -n "${SYLK_OPENCODE_SESSION-}" ]; then
    printf 'session=opencode:%s\0' "$SYLK_OPENCODE_SESSION"
  else
    printf 'ancestors=%s\0' "$(ancestors)"
  fi
  if [ -n "${SYLK_OVERRIDE-}" ]; then printf 'override=%s\0' "$SYLK_OVERRIDE"; fi
  if [ -n "${SYLK_FENCING_TOKEN-}" ]; then printf 'token=%s\0' "$SYLK_FENCING_TOKEN"; fi
  if [ "$event" = post-commit ]; then
    printf 'commit=%s\0subject=%s\0' "$new" "$(git log -1 --format=%s "$new")"
  elif is_under_way; then
    printf 'brings=others\0'
  fi
  printf 'form=raw\0\0'
  if [ "$event" = pre-commit ]; then
    git diff --cached --raw --numstat --no-abbrev --no-renames -z
  elif [ "$event" = post-commit ] && [ -n "$old" ]; then
    git diff-tree -r --raw --numstat --no-abbrev --no-renames -z "$old" "$new"
  elif [ "$event" = post-commit ]; then
    git diff-tree -r --root --no-commit-id --raw --numstat --no-abbrev --no-renames -z "$new"
  else
    printf '%s' "$moves" | while read -r new old; do changes_of "$old" "$new"; done
  fi
}

changes_of() { # old new; of one commit on top of the old one, or in its place, else of all that no reference has yet
  if [ -n "$1" ] && is_next "$1" "$2"; then
    git diff-tree -r --raw --numstat --no-abbrev --no-renames -z "$1" "$2"
  else
    git -c log.showRoot=true log --format= --no-merges --raw --numstat --no-abbrev --no-renames -z \
      "$2" --not --branches --remotes
  fi
}

is_next() { # old new
  parents=$(git rev-parse --quiet "$2^@")
  [ "$parents" = "$1" ] || [ "$parents" = "$(git rev-parse --quiet "$1^@")" ]
}

let_through() { # pre-commit: what this git makes of it is not asked for again
  case $git_pid in '' | *[!0-9]*) return ;; esac
  mark=$(git rev-parse --git-path sylk-gated 2>/dev/null) && echo "$git_pid" 2>/dev/null >"$mark"
}

was_let_through() {
  mark=$(git rev-parse --git-path sylk-gated 2>/dev/null) && [ -r "$mark" ] && read -r passed <"$mark" || return 1
  [ -n "$git_pid" ] && [ "$passed" = "$git_pid" ] && rm -f "$mark"
}

new_commits() { # lines of old, new and reference; sets moves (new and old of branches that get commits no reference has) and tree
  moves=
  while read -r old new ref; do
    case $ref in refs/heads/*) ;; *) continue ;; esac
    case $new in *[!0]*) ;; *) continue ;; esac
    case $old in *[!0]*) ;; *) old=$(git rev-parse --quiet --verify "$ref^{commit}") ;; esac # forced, or a new branch
    ! is_landing || continue
    [ -n "$(git rev-list --max-count=1 --no-merges "$new" --not --branches --remotes 2>/dev/null)" ] || continue
    moves=$moves$new\ $old$nl
    there=$(git for-each-ref --format='%(worktreepath)' "$ref")
    [ -z "$there" ] || tree=$there
  done
  [ -n "$moves" ] && [ -n "$tree" ]
}

is_landing() { # "sylk commit" has asked for this very commit; only the daemon's own git is believed
  [ -n "${SYLK_COMMIT-}" ] && [ "$new" = "$SYLK_COMMIT" ] && [ -r "$home/daemon.json" ] || return 1
  [ "$(parent_of "$git_pid")" = "$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$home/daemon.json")" ]
}

is_rebase() { # it makes again what was committed before
  [ -e "$(git rev-parse --git-path rebase-merge)" ] || [ -e "$(git rev-parse --git-path rebase-apply)/rebasing" ]
}

keep_override() { # what would have been sent; the next daemon enters it into the audit
  (umask 077 && mkdir -p "$home/log/overrides" && commit_facts >"$home/log/overrides/$(date +%s)-$$")
}

guard_of() { # edit or commit; what the last daemon was set to do when no daemon can be asked
  [ -r "$home/guards" ] || return 0
  while IFS== read -r name value; do
    if [ "$name" = "$1" ]; then echo "$value"; fi
  done <"$home/guards"
}

policy_here() { # guard.policy of this project, as its file has it
  file=${CLAUDE_PROJECT_DIR-$PWD}/.sylk/config.yaml
  if [ -L "$file" ] || [ -L "${file%/*}" ] || { [ -e "$file" ] && [ ! -f "$file" ]; }; then
    echo unread # a pipe or a device would keep this waiting
    return
  fi
  [ -r "$file" ] && head -c 32768 "$file" | sed -n '/^guard:/,/^[^ #]/s/^ \{1,\}policy: *["'"'"']\{0,1\}\([a-z]*\).*/\1/p'
}

start_daemon() { # seconds to wait; as the last one was started. "sylk down" takes these words away, a crash and a reboot do not
  runtime=$(guard_of node)
  script=$(guard_of script)
  [ -x "$runtime" ] && [ -f "$script" ] || return 1
  stamp=$home/log/hook-start
  now=$(date +%s)
  last=0
  [ ! -r "$stamp" ] || read -r last <"$stamp"
  case $last in '' | *[!0-9]*) last=0 ;; esac
  [ $((now - last)) -ge 30 ] || return 1 # one that does not start is not tried at every call
  (umask 077 && mkdir -p "$home/log" && echo "$now" >"$stamp") 2>/dev/null || return 1
  SYLK_HOME=$home "$runtime" "$script" up </dev/null >/dev/null 2>&1 &
  starting=$!
  tenths=$(($1 * 10))
  while kill -0 "$starting" 2>/dev/null; do
    [ "$tenths" -gt 0 ] || return 1
    tenths=$((tenths - 1))
    sleep 0.1
  done
  wait "$starting"
}

starting=
unreachable() { # exit code of ask
  cause=$(cause_of "$1")
  way='"sylk up" starts the daemon'
  [ -z "$starting" ] || way='the daemon is being started, and the next call is guarded'
  note "$cause"
  case $client/$event in
    git/post-commit)
      echo "Sylk: the other agents were not told of this commit: $cause" >&2
      exit 0
      ;;
    git/*)
      if [ "$(guard_of commit)" = fail-open ]; then
        echo "Sylk: this commit was not guarded: $cause (guard.commit is fail-open)" >&2
        exit 0
      fi
      if [ -n "${SYLK_OVERRIDE-}" ] && keep_override; then
        echo "Sylk: the commit gate could not ask ($cause); your override is kept for the audit" >&2
        exit 0
      fi
      echo "Sylk: the commit is stopped, because the gate could not ask who holds its files: $cause." >&2
      echo 'Sylk: start the daemon with "sylk up", or commit all the same: SYLK_OVERRIDE="why" git commit' >&2
      exit 2
      ;;
    */PreToolUse | */BeforeTool)
      reason=
      if [ "$(guard_of edit)" = fail-closed ]; then reason='guard.edit is fail-closed'; fi
      case $(policy_here) in
        strict) reason='guard.policy is strict' ;;
        unread) reason='.sylk/config.yaml is not a plain file, so guard.policy is unknown' ;;
      esac
      if [ -n "$reason" ]; then
        echo "Sylk: stopped, because the daemon cannot be asked who holds this file: $cause ($reason)." >&2
        echo 'Sylk: start the daemon with "sylk up"' >&2
        exit 2
      fi
      ;;
    */SessionStart)
      printf '{"systemMessage":"%s","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"%s"}}\n' \
        "Sylk: this session is NOT guarded: $cause; $(json "$way")" \
        "Sylk: who else is here is unknown: $cause. Edits are not guarded until the daemon runs (sylk up).\\n[sylk] coordination=absent"
      ;;
  esac
  case $client/$event in
    */PreToolUse | */BeforeTool) # standard error of a hook that lets a tool run is on no screen
      printf '{"systemMessage":"%s"}\n' "Sylk: this call was NOT guarded: $cause; $(json "$way")"
      ;;
  esac
  echo "Sylk: $client $event was not guarded: $cause; $way" >&2
  exit 0
}

is_absent() { # exit code of ask
  case $1 in 6 | 7) return 0 ;; esac
  return 1
}

pid=
case $client in
  claude-code) pid=${CLAUDE_PID:-$(client_pid)} ;; # older versions do not set it
  codex | gemini) pid=$(client_pid) ;;
esac
case $client/$event in
  *[!A-Za-z0-9/-]* | /* | */ | */*/*)
    echo 'Sylk: usage: __LAUNCHER_FILE__ <client> <event>' >&2
    exit 0
    ;;
  git/*)
    [ -f "$home/token" ] || exit 0 # Sylk was never set up here, or is gone
    tree=$(tree_here)
    [ -n "$tree" ] || [ "$event" = reference-transaction ] || tree=$PWD
    if [ "$event" = pre-commit ]; then
      [ "${SYLK_GATE-}" != asked ] || exit 0 # "sylk commit" has asked already
      trap '[ "$?" -ne 0 ] || let_through' EXIT
    elif [ "$event" = post-commit ]; then
      [ "${SYLK_GATE-}" != asked ] || exit 0 # "sylk commit" tells by itself
      for sign in rebase-merge rebase-apply; do # it makes again what was told of
        [ ! -e "$(git rev-parse --git-path "$sign")" ] || exit 0
      done
      new=$(git rev-parse --quiet --verify HEAD) || exit 0
      old=$(git rev-parse --quiet --verify HEAD^1)
    else
      new_commits || exit 0
      ! is_rebase || exit 0
      ! was_let_through || exit 0
    fi
    answer=$(commit_facts | ask 10)
    code=$?
    if is_absent "$code" && start_daemon 5; then
      answer=$(commit_facts | ask 10)
      code=$?
    fi
    ;;
  */SessionStart)
    said=$(cat)
    answer=$(printf '%s' "$said" | ask 5)
    code=$?
    if is_absent "$code" && start_daemon 4; then
      answer=$(printf '%s' "$said" | ask 5)
      code=$?
    fi
    ;;
  *)
    [ -S "$socket" ] || start_daemon 3 # before the call is read: it can be read once
    answer=$(ask 1)
    code=$?
    # This call was read; the next one finds a daemon.
    if is_absent "$code"; then start_daemon 0; fi
    ;;
esac
verdict=${answer%%"$nl"*}
text=${answer#*"$nl"}
case $code/$verdict in
  0/allow) case $client/$event in git/*) ;; */PreToolUse | */BeforeTool) once_a_session ;; esac ;;
  0/tell) printf '%s\n' "$text" ;;
  0/warn) printf '%s\n' "$text" >&2 ;;
  0/deny)
    printf '%s\n' "$text" >&2
    exit 2
    ;;
  0/degraded) printf '%s\n' "$text" >&2 ;;
  *) unreachable "$code" ;;
esac
exit 0
