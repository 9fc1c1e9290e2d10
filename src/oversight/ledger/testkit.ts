/** Transcripts made by us in the shapes that clients write, and files that exist only in memory. */
import * as fc from "fast-check";
import { createHash } from "node:crypto";
import type { TranscriptFile, Transcripts } from "./ports.ts";
import type { LedgerRepository } from "./store.ts";
import type { UsageRecord } from "./usage-record.ts";

const count = fc.nat({ max: 200_000 });
const word = fc.stringMatching(/^[a-z]{3,8}$/);

/** An answer as the provider gave it, once. */
export type Answer = {
  readonly id: string;
  readonly request: string | undefined;
  readonly session: string;
  readonly model: string;
  readonly at: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

export const answers: fc.Arbitrary<readonly Answer[]> = fc
  .array(
    fc.record({
      request: fc.option(fc.uuid(), { nil: undefined }),
      session: fc.constantFrom("s-one", "s-two", "s-three"),
      model: fc.constantFrom("model-a", "model-b"),
      at: fc.integer({ min: 1_760_000_000_000, max: 1_761_000_000_000 }),
      input: count,
      output: count,
      cacheRead: count,
      cacheWrite: count,
    }),
    { maxLength: 20 },
  )
  .map((all) => all.map((answer, index) => ({ ...answer, id: `msg-${index}` })));

/** Claude Code's way: several lines an answer, the streamed ones with less output. */
export function claudeLine(answer: Answer, output = answer.output): string {
  return JSON.stringify({
    type: "assistant",
    sessionId: answer.session,
    timestamp: new Date(answer.at).toISOString(),
    ...(answer.request === undefined ? {} : { requestId: answer.request }),
    message: {
      id: answer.id,
      model: answer.model,
      content: [],
      usage: {
        input_tokens: answer.input,
        output_tokens: output,
        cache_read_input_tokens: answer.cacheRead,
        cache_creation_input_tokens: answer.cacheWrite,
      },
    },
  });
}

/** Lines between usage, and lines that are not JSON. */
export const noise: fc.Arbitrary<string> = fc.oneof(
  word.map((text) => JSON.stringify({ type: "user", message: { content: text } })),
  fc.constantFrom(
    '{"type":"assistant","message":{"usage":',
    "\u0000\u0001",
    "",
    "[1,2]",
    '{"type":"result","usage":{"input_tokens":99999,"output_tokens":99999}}',
    '{"type":"assistant","message":{"id":"n","model":"<synthetic>","usage":{"input_tokens":7,"output_tokens":7}}}',
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[\n\r]/g, " ")),
);

export type MemoryFiles = Transcripts & { readonly files: Map<string, { text: string; inode: number }> };

export function memoryFiles(reader: TranscriptFile["reader"]): MemoryFiles {
  const files = new Map<string, { text: string; inode: number }>();
  const bytesOf = (path: string) => Buffer.from(files.get(path)!.text);
  return {
    files,
    list: async () =>
      [...files].map(([path, { inode }]) => ({
        reader,
        path,
        inode,
        size: bytesOf(path).length,
        session: path,
        agent: undefined,
      })),
    open: async (path) => ({
      headOf: async (bytes) => createHash("sha256").update(bytesOf(path).subarray(0, bytes)).digest("hex"),
      async *blocks(from) {
        const rest = bytesOf(path).subarray(from);
        const end = rest.lastIndexOf(10) + 1;
        if (end > 0) yield { lines: rest.toString("utf8", 0, end - 1).split("\n"), next: from + end };
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  };
}

export async function recordsIn(
  ledger: LedgerRepository,
  { since, size = 100 }: { readonly since?: number | undefined; readonly size?: number } = {},
): Promise<readonly UsageRecord[]> {
  const all: UsageRecord[] = [];
  for await (const page of ledger.pages({ since, size })) all.push(...page);
  return all;
}
