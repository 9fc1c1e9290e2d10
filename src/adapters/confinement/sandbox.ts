/**
 * A sandbox for commands that a run's model influences, by bubblewrap: the run's tree and its own caches are writable,
 * the rest is read-only, secrets and sockets are not there, processes are its own, and so is an empty network.
 *
 *   / read-only -> /tmp and /run empty -> hidden places empty -> tree and caches writable -> the command
 *
 * The order matters: a run's tree lies in the hidden home, and is put there again.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { ConfinementState } from "../../coordination/guard/index.ts";
import type { SandboxRequest } from "./sandbox-request.ts";
import { trySandbox } from "./try-sandbox.ts";

export type Sandbox = {
  state(): Promise<ConfinementState>;
  wordsFor(request: SandboxRequest): readonly string[];
};

export function createSandbox(): Sandbox {
  let tried: Promise<ConfinementState> | undefined;
  return {
    state: () => (tried ??= trySandbox(sandboxWords)),
    wordsFor: sandboxWords,
  };
}

function sandboxWords({ tree, writable, hidden, network }: SandboxRequest): readonly string[] {
  return [
    "bwrap",
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
    "--tmpfs",
    "/tmp",
    // Sockets of servers outside, such as Docker's, can be written through a read-only mount.
    "--tmpfs",
    "/run",
    ...(network ? ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"] : []),
    ...hidden.flatMap(hide),
    ...[tree, ...writable].flatMap((folder) => ["--bind", folder, folder]),
    "--",
  ];
}

function hide(place: string): readonly string[] {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return [];
  return found.isDirectory() ? ["--tmpfs", place] : ["--ro-bind", "/dev/null", place];
}

const secrets = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".config/git/credentials",
  ".config/gh",
  ".config/gcloud",
  ".config/op",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".gem/credentials",
  ".terraform.d",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".config/opencode",
  ".local/share/opencode",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".bash_history",
  ".zsh_history",
] as const;

/** Sylk's own home with its token and socket, and where tools of a user keep secrets. */
export function secretPlaces(userHome: string, sylkHome: string): readonly string[] {
  return [sylkHome, ...secrets.map((name) => join(userHome, name))];
}
