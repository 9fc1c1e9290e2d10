/**
 * Which agent's session a command runs in, for the daemon to look up: what is named wins over the client's own session
 * variable, and that over the processes the command descends from.
 *
 * The variables are those that clients set for the processes they start; where there is none, the client's process is
 * found.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ClientSession } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { entryPoints } from "./entry-points.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Surroundings = {
  readonly actAs?: string;
  readonly session?: ClientSession;
  readonly ancestors?: readonly number[];
};

const mostAncestors = 64;

type Terms = {
  /** What the call itself says of its session: it knows better than variables, which processes inherit. */
  readonly told?: ClientSession | undefined;
  /** Also where a session is named. */
  readonly withAncestors?: boolean;
};

export function surroundingsOf(
  env: Env,
  actAs: string | undefined,
  { told, withAncestors = false }: Terms = {},
): Surroundings {
  if (actAs !== undefined) return { actAs };
  const named = told ?? sessionOf(env);
  // A tool server's parent is the client; a client that names no process of its own is known by it.
  const session = withAncestors && named !== undefined ? { pid: process.ppid, ...named } : named;
  return {
    ...defined({ session }),
    ...(session === undefined || withAncestors ? { ancestors: ancestorsOf(process.ppid) } : {}),
  };
}

/** Whether something says whom a process acts for, so that nothing else may. */
export function isNamed(env: Env, actAs: string | undefined): boolean {
  return [env.SYLK_TOKEN, actAs].some((name) => name !== undefined && name !== "") || sessionOf(env) !== undefined;
}

function sessionOf(env: Env): ClientSession | undefined {
  for (const { variable, client, pid } of entryPoints().sessionVariables) {
    const key = env[variable];
    if (key === undefined || key === "") continue;
    const process = pid === undefined ? Number.NaN : Number(env[pid]);
    return { key, client, ...(Number.isSafeInteger(process) && process > 0 ? { pid: process } : {}) };
  }
  return undefined;
}

/** The nearest first; the first process of the machine is left out. */
function ancestorsOf(first: number): readonly number[] {
  const parentOf = process.platform === "linux" ? linuxParent : posixParents();
  const found: number[] = [];
  for (let pid: number | undefined = first; pid !== undefined && pid > 1; pid = parentOf(pid)) {
    if (found.length === mostAncestors || found.includes(pid)) break;
    found.push(pid);
  }
  return found;
}

/** The command name in /proc/<pid>/stat may hold spaces and brackets; the fields are counted from its end. */
function linuxParent(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined; // it has ended, or cannot be seen
  }
}

function posixParents(): (pid: number) => number | undefined {
  try {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).split("\n");
    const parents = new Map(lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
    return (pid) => parents.get(pid);
  } catch {
    return () => undefined; // without ps no ancestor is found
  }
}
