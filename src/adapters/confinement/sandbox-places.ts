/**
 * Places that a sandboxed command must not see, and those that it must see again inside of emptied folders. All of them are
 * looked up after resolving links: a mount lies where the file really is.
 */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";

/** Emptied for the command: sockets of servers outside lie there. */
export const replaced = ["/tmp", "/run"] as const;
/** Shared memory is a folder of /dev, which the command has for itself. */
const emptied = [...replaced, "/dev"];

const secrets = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".colima",
  ".lima",
  ".orbstack",
  ".1password",
  ".vault-token",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".gitconfig",
  ".config/git/config",
  ".config/git/credentials",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/gcloud",
  ".config/doctl",
  ".config/op",
  ".config/sops",
  ".config/rclone",
  ".config/pip",
  ".config/containers",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gradle/gradle.properties",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gem/credentials",
  ".composer/auth.json",
  ".terraform.d",
  ".terraformrc",
  ".fly",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".qwen",
  ".config/opencode",
  ".local/share/opencode",
  ".config/github-copilot",
  ".local/share/keyrings",
  ".password-store",
  ".mozilla",
  ".thunderbird",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/Code",
  ".bash_history",
  ".zsh_history",
  ".node_repl_history",
  ".python_history",
  ".psql_history",
] as const;

/** The home by the variable, by the command's own variable, and by the system's table of users. */
export function homesOf(env: Readonly<Record<string, string>>): readonly string[] {
  const named = [homedir(), env.HOME ?? "", userInfo().homedir];
  return [...new Set(named.flatMap(realPathOf))].filter((home) => home !== sep);
}

type Secret = { readonly place: string; readonly isFolder: boolean };

/** Those that exist here. `hidden` are Sylk's own. */
export function realSecrets({
  homes,
  repository,
  hidden,
}: {
  readonly homes: readonly string[];
  readonly repository: string;
  readonly hidden: readonly string[];
}): readonly Secret[] {
  const named = [
    ...homes.flatMap((home) => secrets.map((name) => join(home, name))),
    ...variableFiles(repository),
    ...hidden,
  ];
  return [...new Set(named.flatMap(realPathOf))].map((place) => ({ place, isFolder: isFolder(place) }));
}

/** `.env` and the like in the root of the user's tree; a run's own tree has only what is committed. */
function variableFiles(repository: string): readonly string[] {
  try {
    return readdirSync(repository)
      .filter((name) => /^\.env(\.|$)|^\.envrc$/.test(name) && !/\.(example|sample|template|dist)$/.test(name))
      .map((name) => join(repository, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []; // it is gone: there is nothing to hide in it
    throw error; // what cannot be listed can still be opened by its name
  }
}

export function hidingWords({ place, isFolder: hidesFolder }: Secret): readonly string[] {
  return hidesFolder ? ["--tmpfs", place] : ["--ro-bind", "/dev/null", place];
}

/** Places to bind again, because they lie in emptied folders: the given ones, programs on the PATH, the name servers. */
export function shownPlaces(
  wanted: readonly string[],
  { path = "", network }: { readonly path: string | undefined; readonly network: boolean },
): readonly string[] {
  // A program in …/bin needs what lies beside that folder.
  const programs = path.split(delimiter).map((folder) => (/\/\.?bin$/.test(folder) ? dirname(folder) : folder));
  const servers = network ? ["/etc/resolv.conf"] : [];
  const all = [...wanted, ...programs, ...servers].flatMap(realPathOf);
  const lying = all.filter((place) => emptied.some((folder) => place.startsWith(folder + sep)));
  return [...new Set(lying)].sort((one, other) => one.length - other.length);
}

function realPathOf(place: string): readonly string[] {
  try {
    return place === "" ? [] : [realpathSync.native(place)];
  } catch {
    return []; // it does not exist
  }
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
