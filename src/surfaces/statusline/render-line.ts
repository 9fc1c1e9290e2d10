/** One line from what is known; what is not known is said or left out, never made up. */
import type { CodeIndexState } from "../../contract/index.ts";
import type { ClientInput } from "./client-input.ts";
import type { Coordination, Present } from "./coordination.ts";
import type { OwnWork } from "./read-transcript.ts";
import type { Tree } from "./read-tree.ts";

export type Facts = {
  readonly input: ClientInput;
  readonly tree: Tree | undefined;
  readonly work: OwnWork | undefined;
  readonly index?: CodeIndexState | undefined;
  /** A text says why it is unknown. */
  readonly coordination: Coordination | string;
  /** Calls that went unguarded while no daemon was there, not yet counted by one. */
  readonly uncounted?: number;
};

const longest = 200;
/** From here on names give way to numbers. */
const mostNamed = 3;

export function renderLine({ input, tree, work, index, coordination, uncounted = 0 }: Facts): string {
  const parts = [
    treeText(tree),
    ...(typeof coordination === "string" ? [coordination] : coordinationTexts(coordination)),
    unguardedText(uncounted + (typeof coordination === "string" ? 0 : coordination.unguarded)),
    indexText(index),
    ...(work === undefined ? [] : workTexts(work)),
    ...clientTexts(input),
    ...(typeof coordination === "string" ? [] : coordination.changes),
  ];
  const line = parts.filter((part) => part !== undefined && part !== "").join(" | ");
  return cut(plain(`sylk ${line}`), longest);
}

function treeText(tree: Tree | undefined): string | undefined {
  if (tree === undefined) return undefined;
  if (tree.changed === undefined) return tree.branch;
  return tree.changed === 0 ? `${tree.branch} clean` : `${tree.branch} ${tree.changed} changed`;
}

function coordinationTexts(known: Coordination): readonly (string | undefined)[] {
  const { own, others, form, runs, incidents, enforced, notInstalled } = known;
  const claim = own?.workItems[0];
  return [
    enforced ? undefined : "NOT enforced",
    notInstalledText(notInstalled),
    othersText(others, form),
    shellText(own, others),
    claim === undefined ? undefined : `claimed: ${cut(claim.title, 30)}`,
    ...runTexts(runs),
    incidentsText(incidents),
  ];
}

function notInstalledText([first, ...more]: Coordination["notInstalled"]): string | undefined {
  if (first === undefined) return undefined;
  return `${cut(first, 60)}${more.length > 0 ? ` +${more.length}` : ""}`;
}

/** Only where it matters: others hold something that a shell command could write. */
function shellText(own: Present | undefined, others: readonly Present[]): string | undefined {
  const isAtStake = own?.shell === "not-enforced" && others.some(({ files }) => files.length > 0);
  return isAtStake ? "shell NOT enforced" : undefined;
}

function runTexts([run, ...more]: Coordination["runs"]): readonly (string | undefined)[] {
  if (run === undefined) return [];
  const { request, nodes, budget, spent } = run;
  const step = nodes.total === 0 ? "" : ` ${nodes.succeeded}/${nodes.total}`;
  return [
    `run: ${cut(request, 30)}${step}${more.length > 0 ? ` +${more.length}` : ""}`,
    budget === undefined ? undefined : `budget ${Math.round((spent / budget) * 100)} %`,
  ];
}

function incidentsText([first, ...more]: Coordination["incidents"]): string | undefined {
  if (first === undefined) return undefined;
  return `trouble: ${cut(first, 40)}${more.length > 0 ? ` +${more.length}` : ""}`;
}

function unguardedText(calls: number): string | undefined {
  return calls === 0 ? undefined : `${calls} ${calls === 1 ? "call" : "calls"} UNGUARDED`;
}

/** Only while answers about the code do not cover everything. */
function indexText(index: CodeIndexState | undefined): string | undefined {
  return index !== undefined && "percent" in index ? `index ${index.mode} ${index.percent} %` : undefined;
}

function workTexts({ tests, errors, calls }: OwnWork): readonly (string | undefined)[] {
  return [
    tests === undefined ? undefined : `tests ${tests}`,
    errors === 0 ? undefined : `${errors} of ${calls} calls failed`,
  ];
}

function clientTexts({ model, context, usd, rateLimit }: ClientInput): readonly (string | undefined)[] {
  return [
    model,
    context === undefined ? undefined : `context ${Math.round(context)} %`,
    usd === undefined ? undefined : `$${usd.toFixed(2)}`,
    rateLimit === undefined ? undefined : `5 h limit ${Math.round(rateLimit)} %`,
  ];
}

function othersText(others: readonly Present[], form: Coordination["form"]): string {
  if (others.length === 0) return "no other agents";
  const files = others.reduce((sum, agent) => sum + agent.files.length, 0);
  if (form === "summary" || others.length > mostNamed)
    return `${counted(others.length, "agent")}, ${counted(files, "file")}`;
  return others.map(({ name, files: held }) => (held.length === 0 ? name : `${name}: ${filesText(held)}`)).join(", ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function filesText(files: readonly string[]): string {
  const [first] = files;
  return files.length === 1 ? cut(first!, 40) : `${cut(first!, 30)} +${files.length - 1}`;
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Others' words reach the terminal: no control characters, no line ends, nothing that turns the writing around. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, " ");
}
