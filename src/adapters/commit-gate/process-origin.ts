/**
 * Where a process comes from, by the processes above it: what runs on a terminal or in an editor is a person's, unless a
 * coding agent is among them.
 *
 *   pids -> program and terminal of each (/proc, or one ps) -> originOf (pure) -> client | terminal | editor | unknown
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import type { ProcessOrigin } from "../../coordination/guard/index.ts";
import { codingAgents, editors } from "./known-programs.ts";

/** `words` is its command line. */
export type AncestorProcess = {
  readonly words: readonly string[];
  readonly hasTerminal: boolean;
  readonly parent: number;
};

const interpreter = /^(node|nodejs|bun|deno|python[\d.]*|ruby|perl|uv|npx|bunx)$/;

export async function processOrigin(ancestors: readonly number[]): Promise<ProcessOrigin> {
  return originOf(await describe(ancestors));
}

/** The nearest first. Only the nearest can say whether it has a terminal: an agent may have one and start commands without. */
export function originOf(ancestors: readonly AncestorProcess[]): ProcessOrigin {
  const client = ancestors.flatMap(({ words }) => namesOf(words)).find((name) => codingAgents.has(name));
  if (client !== undefined) return { kind: "client", program: client };
  if (ancestors[0]?.hasTerminal === true) return { kind: "terminal" };
  const editor = ancestors.map(({ words }) => ownName(words)).find((name) => editors.has(name));
  return editor === undefined ? { kind: "unknown" } : { kind: "editor", program: editor };
}

/** The parent of a tool server of ours; undefined for any other process. */
export async function clientOfToolServer(pid: number): Promise<number | undefined> {
  const [server] = await describe([pid]);
  if (server === undefined) return undefined;
  const at = server.words.findIndex((word) => /^(sylk|main\.mjs|sylk\.c?js)$/.test(basename(word)));
  return at !== -1 && server.words[at + 1] === "mcp" ? server.parent : undefined;
}

function ownName([first = ""]: readonly string[]): string {
  return plain(basename(first.replace(/^-/, "")));
}

/** Of an interpreter also the script's name and its package: folders above may be called anything. */
function namesOf(words: readonly string[]): readonly string[] {
  const own = ownName(words);
  if (!interpreter.test(own)) return [own];
  const script = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
  const packages = [...script.matchAll(/node_modules\/(?:@[^/]+\/)?([^/]+)/g)].map(([, name]) => plain(name!));
  return [own, plain(basename(script)), ...packages];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.(c?js|mjs|ts|py|rb|exe)$/, "");
}

async function describe(pids: readonly number[]): Promise<readonly AncestorProcess[]> {
  const found = process.platform === "linux" ? await Promise.all(pids.map(linuxProcess)) : await posixProcesses(pids);
  return found.filter((one) => one !== undefined);
}

/** The command name in /proc/<pid>/stat may hold spaces and brackets; the fields are counted from its end. */
async function linuxProcess(pid: number): Promise<AncestorProcess | undefined> {
  try {
    const [line, stat] = await Promise.all(["cmdline", "stat"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")));
    const [, parent, , , terminal] = stat!.slice(stat!.lastIndexOf(")") + 2).split(" ");
    return { words: line!.split("\0").filter(Boolean), hasTerminal: terminal !== "0", parent: Number(parent) };
  } catch {
    return undefined; // it has ended, or cannot be seen
  }
}

async function posixProcesses(pids: readonly number[]): Promise<readonly (AncestorProcess | undefined)[]> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,ppid=,tty=,command=", "-p", pids.join(",")]);
    const lines = stdout.split("\n").flatMap((line) => {
      const [, pid, parent, tty, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (command === undefined) return [];
      const one = {
        words: command.split(" ").filter(Boolean),
        hasTerminal: !/^\?+$/.test(tty!),
        parent: Number(parent),
      };
      return [[Number(pid), one] as const];
    });
    const known = new Map(lines);
    return pids.map((pid) => known.get(pid));
  } catch {
    return []; // ps found none
  }
}
