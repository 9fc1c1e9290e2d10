/**
 * What each client accepts on a hook's standard output where we say something, as its types, documents and runs have it;
 * nothing else is read by the model. Silence allows. Exit code 2 with text denies everywhere, which the launcher does where a
 * client has no better form of a denial.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { claudeCode } from "../../src/adapters/claude-code/index.ts";
import { codex } from "../../src/adapters/codex/index.ts";
import { gemini } from "../../src/adapters/gemini/index.ts";
import type { HookEvent, InstallableClientV1 } from "../../src/contract/index.ts";

const contextAt = (event: string): z.ZodType =>
  z.strictObject({
    hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), additionalContext: z.string() }),
  });
const goesOnBy = (decision: string): z.ZodType =>
  z.strictObject({ decision: z.literal(decision), reason: z.string().min(1) });

type Row = { readonly client: InstallableClientV1; readonly event: string; readonly accepts: z.ZodType | undefined };
const accepted: readonly Row[] = [
  { client: claudeCode, event: "SessionStart", accepts: contextAt("SessionStart") },
  { client: claudeCode, event: "PreToolUse", accepts: contextAt("PreToolUse") },
  { client: claudeCode, event: "Stop", accepts: goesOnBy("block") },
  { client: codex, event: "SessionStart", accepts: contextAt("SessionStart") },
  { client: codex, event: "PreToolUse", accepts: contextAt("PreToolUse") },
  { client: codex, event: "Stop", accepts: goesOnBy("block") },
  { client: gemini, event: "SessionStart", accepts: contextAt("SessionStart") },
  { client: gemini, event: "BeforeTool", accepts: undefined },
  { client: gemini, event: "AfterAgent", accepts: goesOnBy("deny") },
];
/** Of what we may have something to say. */
const told: readonly HookEvent["kind"][] = ["session-start", "write", "turn-end"];

const text = fc.string({ minLength: 1, unit: "binary" });

describe.each(accepted)("$client.name at $event", ({ client, event, accepts }) => {
  it("is told in a form that it accepts, with every character, or not at all [ADPT-2]", () => {
    fc.assert(
      fc.property(text, (said) => {
        const answer = client.tell(event, said);
        if (accepts === undefined) {
          expect(answer).toBeUndefined();
          return;
        }
        const parsed: unknown = JSON.parse(answer!);
        expect(accepts.safeParse(parsed)).toMatchObject({ success: true });
        expect(JSON.stringify(parsed)).toContain(JSON.stringify(said));
      }),
    );
  });
});

const deniedAt: readonly Row[] = [
  {
    client: claudeCode,
    event: "PreToolUse",
    accepts: z.strictObject({
      decision: z.literal("block"),
      reason: z.string().min(1),
      hookSpecificOutput: z.strictObject({
        hookEventName: z.literal("PreToolUse"),
        permissionDecision: z.literal("deny"),
        permissionDecisionReason: z.string().min(1),
      }),
    }),
  },
  { client: codex, event: "PreToolUse", accepts: undefined },
  { client: gemini, event: "BeforeTool", accepts: goesOnBy("deny") },
];

describe.each(deniedAt)("$client.name at $event", ({ client, event, accepts }) => {
  it("is denied in its own form, where it has one that reads better than exit code 2, and never allowed [ADPT-2]", () => {
    fc.assert(
      fc.property(text, (said) => {
        const answer = client.deny?.(event, said);
        expect(answer === undefined).toBe(accepts === undefined);
        if (answer === undefined) return;
        expect(accepts!.safeParse(JSON.parse(answer))).toMatchObject({ success: true });
        expect(answer).toContain(JSON.stringify(said));
        expect(client.deny?.("Stop", said), "only before a tool").toBeUndefined();
      }),
    );
  });
});

it.each([claudeCode, codex, gemini])("has a row for all that $name may be told [ADPT-2]", (client) => {
  const sent = {
    session_id: "s-1",
    cwd: "/home/ada/shop",
    agent_id: client === gemini ? undefined : "a-1",
    tool_name: client === gemini ? "run_shell_command" : "Bash",
    tool_input: { command: "touch a.ts" },
    tool_calls: [{ tool_name: "Read", tool_input: { file_path: "/home/ada/shop/a.ts" } }],
  };
  const events = [...new Set(client.entries.map(({ event }) => event))];
  const rows = accepted.filter((row) => row.client === client).map(({ event }) => event);
  const spoken = events.filter((event) => {
    const kind = client.readEvent(event, Buffer.from(JSON.stringify(sent)), {})?.kind;
    return kind !== undefined && told.includes(kind);
  });
  expect(spoken.toSorted()).toEqual(rows.toSorted());
});
