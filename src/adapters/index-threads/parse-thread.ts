/**
 * A parse thread: reads one content after the other and answers with its facts. This very file is the thread's program.
 *
 *   startParseThread -> thread -> { id, request } -> readContent -> { id, reply }
 *
 * Loaded on demand only, so that a build gives it a file of its own.
 */
import { execFile } from "node:child_process";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type ParseReply, type ParseRequest, readContent } from "../../knowledge/code-index/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { gitEnv } from "../git/index.ts";
import { openSyntax } from "../syntax/index.ts";

export type ParseTerms = {
  readonly maxFileBytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
};
export type Asked = { readonly id: number; readonly request: ParseRequest };
/** `isWorn`: a parse was stopped, and its memory stays taken as long as the thread lives. */
export type Replied = { readonly id: number; readonly reply: ParseReply; readonly isWorn: boolean };
type Given = { readonly sylkParse: ParseTerms };

/** Above this a file is one no parser should be given; the thread ends and the next file gets a new one. */
const heapMb = 512;

export function startParseThread(terms: ParseTerms): Worker {
  return new Worker(new URL(import.meta.url), {
    workerData: { sylkParse: terms } satisfies Given,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}

if (!isMainThread && isGiven(workerData)) await work(workerData.sylkParse);

async function work({ maxFileBytes, env }: ParseTerms): Promise<void> {
  const port = parentPort!;
  const own = { ...gitEnv(env), GIT_NO_LAZY_FETCH: "1" };
  const fromGit = (tree: string, hash: string) => storedContent(tree, hash, own, maxFileBytes);
  const opening = openSyntax({ clock: systemClock() });
  port.on("message", ({ id, request }: Asked) => {
    void opening
      .then((syntax) => readContent(request, { syntax, maxFileBytes, fromGit }))
      .catch((error: unknown): ParseReply => ({ state: "left-out", reason: `cannot be parsed: ${String(error)}` }))
      .then(async (reply) => {
        const isWorn = await opening.then((syntax) => syntax.isWorn()).catch(() => true);
        port.postMessage({ id, reply, isWorn } satisfies Replied);
      });
  });
}

function storedContent(
  tree: string,
  hash: string,
  env: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    execFile(
      "git",
      ["cat-file", "blob", hash],
      { cwd: tree, env, encoding: "buffer", maxBuffer: maxBytes },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}

function isGiven(data: unknown): data is Given {
  return typeof data === "object" && data !== null && "sylkParse" in data;
}
