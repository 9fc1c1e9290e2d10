import { describe, expect, it } from "vitest";
import type { CommandResult } from "../executors/index.ts";
import { sandboxedCommand } from "./sandboxed-command.ts";
import { sandboxNotice, type SandboxTerms, sandboxTerms } from "./sandbox-terms.ts";

const places = { hidden: ["/home/ada/.sylk"], caches: "/caches", network: false };
const works = { state: async () => ({ enforced: true, by: "bubblewrap" }) as const };
const missing = { state: async () => ({ enforced: false, reason: "bubblewrap is not installed" }) as const };
const result: CommandResult = { end: "exited", exitCode: 0, output: "ok\n", truncated: false, durationMs: 1 };

function world(terms: SandboxTerms, given: Partial<CommandResult> = {}, isApproved = true) {
  const asked: string[] = [];
  const ran: string[] = [];
  const command = sandboxedCommand(
    async ({ argv }) => {
      ran.push(argv.join(" "));
      return { ...result, ...given };
    },
    terms,
    {
      approve: async (argv) => {
        asked.push(argv.join(" "));
        return isApproved;
      },
    },
  );
  const request = { argv: ["npm", "test"], cwd: "/", timeoutMs: 1 } as const;
  return { asked, ran, run: (more: { onlyLooks?: boolean } = {}) => command({ ...request, ...more }) };
}

describe("the terms", () => {
  it.each([
    ["auto", works, "sandboxed", undefined],
    ["on", works, "sandboxed", undefined],
    ["auto", missing, "ask", "(bubblewrap is not installed), so each of its commands asks you first"],
    ["on", missing, "refuse", "so its commands are refused"],
    ["off", works, "off", "runs.sandbox is off"],
    ["off", missing, "off", "runs.sandbox is off"],
  ] as const)(
    "runs.sandbox %s decides by the trial, and says what is not sandboxed",
    async (mode, sandbox, kind, said) => {
      const terms = await sandboxTerms({ mode, ...places }, sandbox);
      expect(terms.kind).toBe(kind);
      if (said === undefined) expect(sandboxNotice(terms)).toBeUndefined();
      else expect(sandboxNotice(terms)).toContain(said);
    },
  );
});

describe("a command", () => {
  it("runs at once where it is sandboxed or the sandbox is off", async () => {
    for (const terms of [{ kind: "sandboxed", ...places }, { kind: "off" }] as const) {
      const { asked, ran, run } = world(terms);
      expect([await run(), asked, ran]).toEqual([result, [], ["npm test"]]);
    }
  });

  it("asks where no sandbox works, and runs only when approved", async () => {
    const terms = { kind: "ask", reason: "bubblewrap is not installed" } as const;
    const yes = world(terms);
    expect([await yes.run(), yes.asked, yes.ran]).toEqual([result, ["npm test"], ["npm test"]]);
    const no = world(terms, {}, false);
    expect(await no.run()).toMatchObject({ end: "refused", output: expect.stringContaining("was not approved") });
    expect(no.ran).toEqual([]);
  });

  it("is refused without a question where the sandbox is a must and none works", async () => {
    const { asked, ran, run } = world({ kind: "refuse", reason: "no user namespaces" });
    expect(await run()).toMatchObject({ end: "refused", output: expect.stringContaining("no user namespaces") });
    expect([asked, ran]).toEqual([[], []]);
  });

  it("of Sylk's own that only looks asks for nothing", async () => {
    for (const kind of ["ask", "refuse"] as const) {
      const { asked, ran, run } = world({ kind, reason: "no user namespaces" });
      expect([await run({ onlyLooks: true }), asked, ran]).toEqual([result, [], ["npm test"]]);
    }
  });

  it.each([
    ["touch: cannot touch '/x': Read-only file system", false, /in a sandbox.*runs\.sandbox: off/],
    ["EROFS: read-only\nEROFS: read-only", true, /in a sandbox/],
    ["getaddrinfo EAI_AGAIN registry", false, /without network.*runs\.network: on/],
  ])("that the sandbox hindered (%j) is followed by one sentence", async (output, network, said) => {
    const { run } = world({ kind: "sandboxed", ...places, network }, { exitCode: 1, output });
    const lines = (await run()).output.trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith("Sylk: "))).toEqual([expect.stringMatching(said)]);
    expect(lines.at(-1)).toMatch(said);
  });

  it("is not explained when it ended well, failed by itself, or may use the network", async () => {
    const cases = [
      [{ exitCode: 0, output: "EROFS" }, false],
      [{ exitCode: 1, output: "1 test failed" }, false],
      [{ exitCode: 1, output: "EAI_AGAIN" }, true],
    ] as const;
    for (const [given, network] of cases)
      expect((await world({ kind: "sandboxed", ...places, network }, given).run()).output).toBe(given.output);
  });

  it("is not taken for failed when the sandbox itself could not be started", async () => {
    const output = "bwrap: Creating new namespace failed: Operation not permitted\n";
    const { run } = world({ kind: "sandboxed", ...places }, { exitCode: 1, output });
    await expect(run()).rejects.toThrow("the sandbox could not be started: bwrap: Creating");
  });
});
