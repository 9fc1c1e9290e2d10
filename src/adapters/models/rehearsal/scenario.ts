/**
 * A scenario: what the scripted model answers to which request.
 *
 *   file -> size, UTF-8 -> parse-scenario-yaml -> Scenario | InvalidScenario with every problem and its place
 *
 * The first turn whose `when` holds answers. A turn knows nothing but the request it answers: the tools that are
 * offered, how many answers were given before, what the user and the tools said.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import * as z from "zod";
import { InvalidScenario } from "./invalid-scenario.ts";

const ToolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be the name of a tool");
const Text = z.string().min(1);
const Milliseconds = z.int().min(0).max(600_000);
const Tokens = z.int().min(0).max(1e9);

const When = z.strictObject({
  tool: ToolName.optional().describe("A tool that the request must offer"),
  mentions: z
    .union([Text, z.array(Text).min(1)], { error: "must be a text or a list of texts" })
    .transform((texts) => (typeof texts === "string" ? [texts] : texts))
    .optional()
    .describe("Texts that user or tools must have said; case and white space do not matter"),
  turn: z.int().min(0).max(10_000).optional().describe("How many answers were given before"),
});

const Expect = z.strictObject({
  toolResult: z
    .string()
    .max(1_000)
    .refine(isPattern, "must be a regular expression of JavaScript")
    .optional()
    .describe("What the last tool result must match, or the rehearsal ends"),
});

const ReplyPart = z
  .strictObject({ text: Text.optional(), tool: ToolName.optional(), input: z.record(z.string(), z.json()).optional() })
  .refine(({ text, tool }) => (text === undefined) !== (tool === undefined), "must have either text or tool")
  .refine(({ text, input }) => text === undefined || input === undefined, "input belongs to a tool")
  .transform(({ text, tool = "", input = {} }) =>
    text === undefined ? ({ tool, input } as const) : ({ text } as const),
  );
export type ReplyPart = Readonly<z.infer<typeof ReplyPart>>;

const Times = z.int().min(1).max(1_000);
const Fault = z
  .strictObject({
    status: z.union([z.literal(429), z.literal(500), z.literal(529)], { error: "must be 429, 500 or 529" }).optional(),
    retryAfterMs: Milliseconds.optional(),
    cut: z.literal(true).optional(),
    delayMs: Milliseconds.optional(),
    malformedToolInput: z.literal(true).optional(),
    times: Times.optional(),
  })
  .refine(
    ({ status, cut, delayMs, malformedToolInput }) =>
      [status, cut, delayMs, malformedToolInput].filter((kind) => kind !== undefined).length === 1,
    "must have exactly one of status, cut, delayMs and malformedToolInput",
  )
  .refine(
    ({ status, retryAfterMs }) => status !== undefined || retryAfterMs === undefined,
    "retryAfterMs belongs to status",
  )
  .refine(
    ({ malformedToolInput, times }) => !malformedToolInput || times === undefined,
    "malformedToolInput has no times",
  );
export type Fault = Readonly<z.infer<typeof Fault>>;

const Turn = z.strictObject({
  when: When.default({}),
  expect: Expect.optional(),
  reply: z.array(ReplyPart).min(1).max(100),
  usage: z
    .strictObject({ input: Tokens, output: Tokens, cacheRead: Tokens.optional(), cacheWrite: Tokens.optional() })
    .optional()
    .describe("input counts what the cache gave, too; without usage the length of the texts is taken"),
  fault: Fault.optional().describe("Happens to the first `times` requests that this turn answers (1 unless said)"),
});
export type Turn = Readonly<z.infer<typeof Turn>>;

export const Scenario = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/, "must be letters, digits, spaces, dots and dashes, at most 64"),
  description: z.string().max(2_000).optional(),
  turns: z.array(Turn).min(1).max(1_000),
});
export type Scenario = Readonly<z.infer<typeof Scenario>>;

/** Bounds how long a hostile file keeps the process busy: about a second. */
export const largestScenarioBytes = 128 * 1024;

export async function readScenario(file: string): Promise<Scenario> {
  return parseScenario(await readBytes(file), file);
}

/** `file` is named in problems only. */
export async function parseScenario(content: string | Uint8Array, file: string): Promise<Scenario> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (bytes.length > largestScenarioBytes) throw refused(file, `is larger than ${largestScenarioBytes / 1024} KB`);
  const { parseScenarioYaml } = await import("./parse-scenario-yaml.ts");
  return parseScenarioYaml(decode(bytes, file), file, Scenario);
}

/** Opened without blocking, and read no further than the limit: the path may name a pipe or a device. */
async function readBytes(file: string): Promise<Uint8Array> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw refused(file, "is not a regular file");
    const buffer = Buffer.alloc(largestScenarioBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      ({ bytesRead: read } = await handle.read(buffer, length, buffer.length - length, null));
    return buffer.subarray(0, length);
  } catch (cause) {
    if (cause instanceof InvalidScenario) throw cause;
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    throw refused(file, code === "ENOENT" ? "does not exist" : `cannot be read: ${code}`);
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused(file, "is not UTF-8 text");
  }
}

function refused(file: string, message: string): InvalidScenario {
  return new InvalidScenario([{ where: file, message }]);
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "s") instanceof RegExp;
  } catch {
    return false;
  }
}
