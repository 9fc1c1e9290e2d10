/**
 * The two files of a command's attempt: its input as JSON, and an output file for context and artifacts.
 *
 *   open -> write input, name both in the environment -> the command runs -> read output -> remove both
 *
 * A killed daemon leaves files behind. The next daemon removes them before it starts any node.
 */
import { constants } from "node:fs";
import { mkdir, open as openFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { NodeFailure } from "../dag/index.ts";
import type { NamedJson, NodeInput } from "./node-input.ts";

export type NodeOutput = { readonly context?: NamedJson; readonly artifacts?: NamedJson };

export type NodeFiles = {
  open(
    attempt: { readonly dag: string; readonly node: string; readonly attempt: number },
    input: NodeInput,
  ): Promise<OpenFiles>;
  /** Removes the files of an earlier daemon. */
  removeLeftovers(): Promise<void>;
};

type OpenFiles = {
  readonly env: { readonly SYLK_DAG_INPUT: string; readonly SYLK_DAG_OUTPUT: string };
  /** Throws a NodeFailure that names the problem of the output file. */
  output(): Promise<NodeOutput>;
  close(): Promise<void>;
};

export const nodeOutputLimit = 64 * 1024;

export function createNodeFiles(folder: string): NodeFiles {
  return {
    async open({ dag, node, attempt }, input) {
      const [given, left] = ["input", "output"].map((what) => join(folder, `${dag}.${node}.${attempt}.${what}.json`));
      const paths = [given!, left!];
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rm(left!, { force: true });
      await writeFile(given!, JSON.stringify(input), { mode: 0o600 });
      return {
        env: { SYLK_DAG_INPUT: given!, SYLK_DAG_OUTPUT: left! },
        output: () => readOutput(left!),
        close: async () => void (await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })))),
      };
    },
    removeLeftovers: () => rm(folder, { recursive: true, force: true }),
  };
}

const Values = z.record(z.string().min(1).max(200), z.json());
const Output = z.strictObject({ context: Values.optional(), artifacts: Values.optional() });

async function readOutput(path: string): Promise<NodeOutput> {
  const text = await readSmallFile(path);
  if (text === undefined) return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw unusable(`it is not JSON (${(cause as Error).message})`, cause);
  }
  const parsed = Output.safeParse(json);
  if (parsed.success) return parsed.data as NodeOutput;
  const { path: place = [], message = "" } = parsed.error.issues[0] ?? {};
  throw unusable(place.length === 0 ? message : `${place.join(".")}: ${message}`, parsed.error);
}

/** Returns undefined when there is no file. Refuses pipes and devices, because reading them could block the daemon. */
async function readSmallFile(path: string): Promise<string | undefined> {
  let file;
  try {
    file = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable("it cannot be read", error);
  }
  try {
    const info = await file.stat();
    if (!info.isFile()) throw unusable("it is not a file");
    if (info.size > nodeOutputLimit) throw unusable(`it has ${info.size} bytes; the limit is ${nodeOutputLimit}`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function unusable(problem: string, cause?: unknown): NodeFailure {
  const message = `its file $SYLK_DAG_OUTPUT is invalid: ${problem}; write {"context": {…}, "artifacts": {…}} or nothing`;
  return new NodeFailure({ class: "permanent", message }, { cause });
}
