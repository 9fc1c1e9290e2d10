/**
 * A parse thread: reads one content after the other and answers with its facts. This very file is the thread's program.
 *
 *   startParseThread -> thread -> work -> readContent, or a pattern in a file -> { reply }
 *
 * Loaded on demand only, so that a build gives it a file of its own.
 */
import { execFile } from "node:child_process";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import {
  type FoundPattern,
  matchFile,
  type ParseReply,
  type ParseRequest,
  readContent,
  type ReadPattern,
  type Syntax,
  type WantedPattern,
} from "../../knowledge/code-index/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { gitEnv } from "../git/index.ts";
import { openSyntax } from "../syntax/index.ts";

export type ParseTerms = {
  readonly maxFileBytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
};
export type Work =
  | { readonly parse: ParseRequest }
  | { readonly readPattern: { readonly pattern: string; readonly language: string } }
  | { readonly findPattern: WantedPattern; readonly file: { readonly tree: string; readonly path: string } };
export type Result = ParseReply | ReadPattern | FoundPattern;
/** `isWorn`: a parse was stopped, and its memory stays taken as long as the thread lives. */
export type Replied = { readonly reply: Result; readonly isWorn: boolean } | { readonly defect: string };
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
  const carryOut = (work: Work, syntax: Syntax): Result | Promise<Result> => {
    if ("parse" in work) return readContent(work.parse, { syntax, maxFileBytes, fromGit });
    if ("findPattern" in work) return matchFile(work.findPattern, work.file, syntax);
    return syntax.readPattern(work.readPattern.pattern, work.readPattern.language);
  };
  port.on("message", (work: Work) => {
    void opening
      .then(async (syntax): Promise<Replied> => ({ reply: await carryOut(work, syntax), isWorn: syntax.isWorn() }))
      .catch((error: unknown): Replied => ({ defect: String(error) }))
      .then((replied) => port.postMessage(replied));
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
