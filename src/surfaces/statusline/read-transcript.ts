/**
 * Reads the session's own results from the end of its transcript: the last test run and how many calls failed.
 * Passed, failed and unclear are different things; where no test ran nothing is said. Other rows than those of user and model
 * repeat messages, such as records of requests, and a call counts once.
 */
import { open } from "node:fs/promises";

export type OwnWork = {
  readonly tests: "passed" | "failed" | "unclear" | undefined;
  /** Calls of a tool that failed, of the last few. */
  readonly errors: number;
  readonly calls: number;
};

const tailBytes = 256 * 1024;
const lastCalls = 20;
const testCommand =
  /(?:^|[\s;&(])(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|t)\b|(?:npx\s+)?(?:vitest|jest|mocha|ava|playwright\s+test)\b|(?:python3?\s+-m\s+)?pytest\b|go\s+test\b|cargo\s+(?:test|nextest)\b|node\s+--test\b|deno\s+test\b|(?:mvn|gradle|\.\/gradlew|dotnet|swift|mix)\s+test\b|rspec\b|phpunit\b|ctest\b|make\s+(?:test|check)\b)/;
/** Whatever comes after one of these decides how the command ends. */
const hidesResult = /[|;]|&(?!&)/;

export async function readOwnWork(transcript: string | undefined): Promise<OwnWork | undefined> {
  if (transcript === undefined || !transcript.endsWith(".jsonl")) return undefined;
  const text = await readTail(transcript).catch(() => undefined);
  return text === undefined ? undefined : ownWorkIn(text);
}

export function ownWorkIn(text: string): OwnWork {
  const commands = new Map<string, string>();
  const answered = new Map<string, boolean>();
  for (const line of text.split("\n"))
    for (const block of blocksIn(line)) {
      const { type, id, name, input, tool_use_id: answers, is_error: failed } = block;
      if (type === "tool_use" && name === "Bash" && typeof id === "string") commands.set(id, commandIn(input));
      if (type === "tool_result" && typeof answers === "string") answered.set(answers, failed === true);
    }
  const results = [...answered].map(([id, failed]) => ({ id, failed }));
  const test = results.findLast(({ id }) => testCommand.test(commands.get(id) ?? ""));
  const latest = results.slice(-lastCalls);
  return {
    tests: test === undefined ? undefined : resultOf(commands.get(test.id)!, test.failed),
    errors: latest.filter(({ failed }) => failed).length,
    calls: latest.length,
  };
}

function resultOf(command: string, failed: boolean): OwnWork["tests"] {
  const afterwards = command.slice(testCommand.exec(command)!.index + 1);
  if (hidesResult.test(afterwards.replaceAll(/\d?>&\d/g, ""))) return "unclear";
  return failed ? "failed" : "passed";
}

type Block = { readonly [key: string]: unknown };

function blocksIn(line: string): readonly Block[] {
  if (!line.includes('"tool_')) return [];
  try {
    const row = JSON.parse(line) as {
      readonly type?: unknown;
      readonly message?: { readonly content?: unknown };
    } | null;
    if (typeof row?.type === "string" && row.type !== "user" && row.type !== "assistant") return [];
    const content = row?.message?.content;
    return Array.isArray(content) ? content.filter((one): one is Block => typeof one === "object" && one !== null) : [];
  } catch {
    return []; // the first line of the tail is cut, and the last may not be whole yet
  }
}

function commandIn(input: unknown): string {
  const { command } = (typeof input === "object" && input !== null ? input : {}) as { readonly command?: unknown };
  return typeof command === "string" ? command.slice(0, 2_000) : "";
}

async function readTail(path: string): Promise<string> {
  await using file = await open(path);
  const facts = await file.stat();
  if (!facts.isFile()) return "";
  const from = Math.max(0, facts.size - tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(tailBytes, facts.size)), 0, undefined, from);
  return buffer.toString("utf8", 0, bytesRead);
}
