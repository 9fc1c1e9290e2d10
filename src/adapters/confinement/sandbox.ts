/**
 * A sandbox for commands that a run's model influences, by bubblewrap: the run's tree and its own caches are writable,
 * the rest is read-only, secrets and sockets are not there, processes are its own, and so is an empty network.
 *
 *   / read-only -> /tmp and /run empty -> repository and home again -> secrets hidden -> tree and caches writable
 *   -> the tree's link to git and git's configuration read-only -> the command
 *
 * The order matters: a run's tree lies in Sylk's hidden home, and is put there again.
 */
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { ConfinementState } from "../../coordination/guard/index.ts";
import type { EnclosedCommand, Sandbox, SandboxPlaces } from "../../orchestration/executors/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { findProgram } from "./find-program.ts";
import { sandboxEnvironment } from "./sandbox-environment.ts";
import { gitPlaces, type GitPlaces } from "./sandbox-git.ts";
import { hidingWords, homesOf, realSecrets, replaced, shownPlaces } from "./sandbox-places.ts";
import { trySandbox } from "./try-sandbox.ts";

type Terms = { readonly clock: Clock; readonly network: boolean };

/** What failed may work later: a setting was changed, a program installed. */
const tryAgainMs = 60_000;
/** bubblewrap does not tell a missing program from a failing one; a shell does. */
const start = ["/bin/sh", "-c", 'exec "$@"', "sh"] as const;

export function createSandbox({ clock, network }: Terms): Sandbox {
  let tried: { readonly at: number; readonly state: Promise<ConfinementState> } | undefined;
  let works = false;
  async function tryNow(): Promise<ConfinementState> {
    const state = await trySandbox(enclose, network);
    works = state.enforced;
    return state;
  }
  return {
    state() {
      if (tried === undefined || (!works && clock.monotonic() - tried.at >= tryAgainMs))
        tried = { at: clock.monotonic(), state: tryNow() };
      return tried.state;
    },
    enclose: (command, places) => enclose(command, places),
  };
}

export function enclose(
  { argv, cwd, env }: EnclosedCommand,
  given: SandboxPlaces,
  homes = homesOf(env),
): EnclosedCommand {
  // Files that we write there must not lie in the part that commands can fill with links.
  mkdirSync(join(given.caches, "writable"), { recursive: true, mode: 0o700 });
  const copies = realpathSync(given.caches);
  const places = { ...given, tree: realpathSync(given.tree), caches: join(copies, "writable") };
  const git = gitPlaces({ tree: places.tree, copies }, homes);
  const inside = sandboxEnvironment(env, { caches: places.caches, gitConfig: git.userConfig });
  const [program, ...words] = sandboxWords(cwd, { ...places, homes, git, path: env.PATH });
  return { argv: [program, ...words, ...start, ...argv], cwd, env: inside };
}

type Mounts = SandboxPlaces & {
  readonly homes: readonly string[];
  readonly git: GitPlaces;
  readonly path: string | undefined;
};

function sandboxWords(cwd: string, mounts: Mounts): readonly [string, ...string[]] {
  const { tree, isTreeReadOnly = false, repository, caches, hidden, network, homes, git, path } = mounts;
  const secrets = realSecrets({ homes, repository, hidden: [...hidden, ...git.hidden] });
  const link = join(tree, ".git");
  return [
    findProgram("bwrap"),
    "--die-with-parent",
    "--unshare-user-try",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    // Sockets of servers outside, such as Docker's, can be written through a read-only mount.
    ...replaced.flatMap((place) => ["--tmpfs", place]),
    ...shownPlaces([...homes, repository, git.folder], { path, network }).flatMap((place) => [
      "--ro-bind",
      place,
      place,
    ]),
    ...secrets.flatMap(hidingWords),
    // Shown already: once more it would show what is hidden in it.
    ...(isTreeReadOnly && !hidden.some((place) => tree.startsWith(place + sep))
      ? []
      : [isTreeReadOnly ? "--ro-bind" : "--bind", tree, tree]),
    "--bind",
    caches,
    caches,
    // Git of our own runs in this tree outside of the sandbox; a link elsewhere would choose its configuration.
    ...(existsSync(link) && !isTreeReadOnly ? ["--ro-bind", link, link] : []),
    ...git.masked.flatMap(([copy, place]) => ["--ro-bind", copy, place]),
    ...secrets.filter(({ isFolder }) => isFolder).flatMap(({ place }) => ["--remount-ro", place]),
    "--chdir",
    cwd,
    "--",
  ];
}
