/**
 * The commands that run confined now, found in /proc: by a mount namespace that is not ours and by the variable that names
 * agent and tree. Nothing is remembered, so a daemon that was restarted finds them, and so are background processes found
 * whose shell has ended.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { sep } from "node:path";
import type { ConfinedCommand } from "../../coordination/guard/index.ts";

type Terms = {
  readonly arch: string | undefined;
  readonly helper: string;
  /** Whose commands: a variable of another user's process proves nothing. */
  readonly uid: number;
};

const limitMs = 5_000;
const ended = 3;

export function runningCommands({ arch = process.arch, helper, uid }: Terms): readonly ConfinedCommand[] {
  const own = namespaceOf("self");
  const ours = new Set(mountsOf("self").map(({ place }) => place));
  const found = new Map<string, ConfinedCommand>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const namespace = namespaceOf(pid);
    if (namespace === undefined || namespace === own || found.has(namespace)) continue;
    const mark = ownerOf(pid) === uid ? markIn(pid) : undefined;
    if (mark === undefined) continue;
    found.set(namespace, {
      ...mark,
      readOnly: mountsOf(pid)
        .filter(({ place, isReadOnly }) => isReadOnly && place.startsWith(mark.tree + sep) && !ours.has(place))
        .map(({ place }) => place),
      change: ({ add, remove }) =>
        run("perl", [
          helper,
          "follow",
          arch,
          pid,
          ...remove.map((place) => `-${place}`),
          ...add.map((place) => `+${place}`),
        ]),
    });
  }
  return [...found.values()];
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return undefined; // another user's, or it has ended
  }
}

function ownerOf(pid: string): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return undefined;
  }
}

function markIn(pid: string): { readonly agent: string; readonly tree: string } | undefined {
  const environment = read(`/proc/${pid}/environ`).split("\0");
  const mark = environment.find((one) => one.startsWith("SYLK_CONFINED="))?.slice("SYLK_CONFINED=".length);
  const at = mark?.indexOf(":") ?? -1;
  return mark === undefined || at === -1 ? undefined : { agent: mark.slice(0, at), tree: mark.slice(at + 1) };
}

function mountsOf(pid: string): readonly { readonly place: string; readonly isReadOnly: boolean }[] {
  return read(`/proc/${pid}/mountinfo`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "))
    .map(([, , , , place = "", options = ""]) => ({
      place: unescaped(place),
      isReadOnly: options.split(",")[0] === "ro",
    }));
}

/** Spaces, tabs, line breaks and backslashes are octal there, as bytes. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function run(program: string, args: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: limitMs }, (error, _stdout, stderr) => {
      const isOver = error === null || (error as { code?: unknown }).code === ended;
      resolve(isOver ? [] : stderr.split("\n").filter((line) => line !== ""));
    });
  });
}
