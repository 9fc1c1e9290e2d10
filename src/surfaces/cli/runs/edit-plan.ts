/**
 * A plan in the user's editor: written as YAML, read back, and sent as an adjustment of the run.
 *
 *   nodes -> file -> $VISUAL or $EDITOR -> nodes that are new, changed or gone -> run.adjust
 *                    `-> every problem with its line; the text is kept for the next try
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../contract/errors.ts";
import type { RawInputOf, Run, RunNode } from "../../../contract/index.ts";
import type { CommandContext } from "../command.ts";
import { readDagFile } from "../dag/read-dag-file.ts";
import { printableText } from "../printable.ts";
import { plannedNodes } from "./render-run.ts";

type Terms = {
  readonly title: string;
  readonly files?: readonly string[];
  readonly dependsOn: readonly string[];
  readonly prompt: string;
};
type Edited = { readonly draft: string | undefined } & ({ readonly run: Run } | { readonly problem: string });

export async function editPlan(run: Run, draft: string | undefined, context: CommandContext): Promise<Edited> {
  const folder = mkdtempSync(join(tmpdir(), "sylk-plan-"));
  const file = join(folder, "plan.yaml");
  try {
    const before = draft ?? (await textOf(run));
    writeFileSync(file, before, { mode: 0o600 });
    const problem = openEditor(file, context.env);
    const text = readFileSync(file, "utf8");
    if (problem !== undefined) return { problem, draft: text };
    return await applied(run, { file, text }, context);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function textOf(run: Run): Promise<string> {
  const { planText } = await import("./plan-text.ts");
  return planText(run.id, Object.fromEntries(plannedNodes(run).map((node) => [node.id, termsOf(node, run)])));
}

function termsOf({ title, files, dependsOn, prompt }: RunNode, run: Run): Terms {
  const work = new Set(plannedNodes(run).map(({ id }) => id));
  return { title, ...(files && { files }), dependsOn: dependsOn.filter((id) => work.has(id)), prompt };
}

/** The editor's own words may name options, as git allows. */
function openEditor(file: string, env: CommandContext["env"]): string | undefined {
  const editor = env.VISUAL || env.EDITOR || "vi";
  const { status, error } = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
  if (error === undefined && status === 0) return undefined;
  return `The editor "${editor}" ended with an error, so the plan is unchanged. Set VISUAL or EDITOR to choose another.`;
}

async function applied(
  run: Run,
  { file, text }: { readonly file: string; readonly text: string },
  { connect }: CommandContext,
): Promise<Edited> {
  try {
    const read = await readDagFile(file, ["nodes"]);
    const wanted = (read.value.nodes ?? {}) as Readonly<Record<string, unknown>>;
    const changes = changesIn(run, wanted);
    if (Object.keys(changes.nodes).length === 0 && changes.remove.length === 0) return { run, draft: undefined };
    const client = await connect();
    const input = { id: run.id, ...changes, expectedVersion: run.version } as RawInputOf<"run.adjust">;
    const adjusted = await client.call("run.adjust", input).catch(async (error: unknown) => {
      throw await read.placed(error);
    });
    return { run: adjusted.run, draft: undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Of the temporary file only the lines matter.
    const told = printableText(error.message, true).replaceAll(file, "plan");
    return { problem: `The plan is unchanged:\n${told}\nType edit to correct it.`, draft: text };
  }
}

function changesIn(run: Run, wanted: Readonly<Record<string, unknown>>) {
  const known = new Map(plannedNodes(run).map((node) => [node.id as string, termsOf(node, run)]));
  const isSame = (id: string, terms: unknown): boolean =>
    isDeepStrictEqual({ dependsOn: [], ...(terms as object) }, known.get(id));
  return {
    nodes: Object.fromEntries(Object.entries(wanted).filter(([id, terms]) => !isSame(id, terms))),
    remove: [...known.keys()].filter((id) => !Object.hasOwn(wanted, id)),
  };
}
