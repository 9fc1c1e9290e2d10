import { expect, it } from "vitest";
import type { DomainError } from "../../contract/index.ts";
import { scratchPorts, type ScratchPorts } from "../testkit.ts";
import { guardWrite } from "./guard-write.ts";
import { judgeUnknown } from "./judge-unknown.ts";
import type { GuardPolicy } from "./ports.ts";
import { asked, guardPorts } from "./testkit.ts";

const doubts = { unknown: ["$OUT: redirect"], programs: ["frob"], tools: ["mcp__x__run"] };

async function judged(ports: ScratchPorts, policy: GuardPolicy, { isHeld = true, shell = "not-enforced" } = {}) {
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const all = guardPorts(ports, {
    policyFor: async () => policy,
    shells: { of: async () => ({ shell }), asked: async () => {} },
  });
  if (isHeld) await guardWrite(asked({ paths: ["src/a.ts"] }), heron, all);
  return judgeUnknown(doubts, otter.caller, all);
}

it("has nothing to judge about a call without doubts", async () => {
  using ports = scratchPorts();
  const otter = await ports.caller("otter");
  const none = { unknown: [], programs: [], tools: [] };
  expect(await judgeUnknown(none, otter.caller, guardPorts(ports, {}))).toEqual({ atStake: [], warnings: [] });
});

it("lets all pass where the policy denies, and says what concerns files of others", async () => {
  using ports = scratchPorts();
  const { atStake, warnings } = await judged(ports, "deny");
  expect(warnings).toEqual([]);
  expect(atStake).toMatchObject([
    { what: "$OUT: redirect", isAtStake: true },
    { what: "frob: its writes are unknown", isAtStake: true },
    { what: "mcp__x__run: the tool's writes are unknown", isAtStake: true },
  ]);
});

it("concerns nothing where no other agent holds a file", async () => {
  using ports = scratchPorts();
  const { atStake } = await judged(ports, "deny", { isHeld: false });
  expect(atStake.map(({ isAtStake }) => isAtStake)).toEqual([false, false, false]);
});

it("leaves commands to the kernel where it keeps files of others read-only, but not the tools of a server", async () => {
  using ports = scratchPorts();
  const { atStake } = await judged(ports, "deny", { shell: "enforced" });
  expect(atStake.map(({ isAtStake }) => isAtStake)).toEqual([false, false, true]);
});

it("says it at once where the policy warns: targets always, programs and tools where files are at stake", async () => {
  using ports = scratchPorts();
  const alone = await judged(ports, "warn", { isHeld: false });
  expect(alone.warnings).toEqual(["this has unknown write targets: $OUT: redirect"]);
  expect((await judged(ports, "warn")).warnings[0]).toContain("frob: its writes are unknown; mcp__x__run");
});

it("refuses where the policy is strict, with what is unknown and what to do", async () => {
  using ports = scratchPorts();
  const refusal = await judged(ports, "strict").then(
    () => expect.fail("it was not refused"),
    (error: unknown) => error as DomainError,
  );
  expect(refusal).toMatchObject({
    code: "write.unknown",
    details: { unknown: expect.arrayContaining(["$OUT: redirect"]) },
  });
  expect(refusal.message).toContain("name the files in the command");
});
