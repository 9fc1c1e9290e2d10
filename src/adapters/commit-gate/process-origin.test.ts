import { spawn } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientOfToolServer, originOf, processOrigin } from "./process-origin.ts";

const above = (line: string, hasTerminal = false) => ({ words: line.split(" "), hasTerminal, parent: 1 });

describe("the origin of a commit", () => {
  it.each([
    ["a shell on a terminal", [above("-zsh", true), above("/usr/bin/tmux")], { kind: "terminal" }],
    [
      "an editor without a terminal",
      [above("git commit"), above("/usr/share/code/code --type=utility")],
      { kind: "editor", program: "code" },
    ],
    ["a client on a terminal", [above("bash -c x", true), above("claude")], { kind: "client", program: "claude" }],
    [
      "a client's script",
      [above("sh -c x"), above("node /usr/lib/node_modules/@google/gemini-cli/dist/index.js")],
      { kind: "client", program: "gemini-cli" },
    ],
    ["a client as a module", [above("sh -c x", true), above("python3 -m aider")], { kind: "client", program: "aider" }],
    ["a client in an editor", [above("sh"), above("codex exec"), above("code")], { kind: "client", program: "codex" }],
    ["a script in a folder called code", [above("node /home/ada/code/codex/release.js")], { kind: "unknown" }],
    ["a service", [above("/usr/sbin/cron -f")], { kind: "unknown" }],
    ["nothing that can be seen", [], { kind: "unknown" }],
  ] as const)("is told for %s [GIT-18]", (_, ancestors, origin) => {
    expect(originOf(ancestors)).toEqual(origin);
  });

  it("is never a person's without a terminal or an editor, whatever the command lines are [GIT-18]", () => {
    const ancestor = fc.record({
      words: fc.array(fc.oneof(fc.string(), fc.constantFrom("node", "code/", "/srv/code/x.js")), { maxLength: 4 }),
      hasTerminal: fc.constant(false),
      parent: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(ancestor, { maxLength: 6 }), (ancestors) => {
        expect(originOf(ancestors).kind).not.toBe("terminal");
      }),
      { numRuns: 200 },
    );
  });
});

it("reads real processes: one that nothing is known of is not a person [GIT-18]", async () => {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  try {
    expect(await processOrigin([child.pid!])).toEqual({ kind: "unknown" });
    expect(await clientOfToolServer(child.pid!)).toBeUndefined();
  } finally {
    child.kill();
    await once(child, "exit");
  }
  expect(await processOrigin([child.pid!])).toEqual({ kind: "unknown" });
});
