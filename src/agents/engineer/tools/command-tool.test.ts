import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../../../orchestration/sessions/index.ts";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { commandTool, isHarmless } from "./command-tool.ts";

const words = (line: string): readonly string[] => line.split(" ");

describe("a command", () => {
  it.each([
    "ls",
    "ls -la src",
    "git status",
    "git status --porcelain",
    "git log --oneline -5",
    "git log -n 5 -- src/a.ts",
    "git show HEAD~1:src/a.ts",
    "git log main..topic",
    "git blame src/a.ts",
    "git show --stat HEAD",
    "npm test",
    "npm t",
    "node --test",
    "node --test test/a.test.ts test/b.test.ts",
  ])("that only looks, or runs the project's checks, needs no approval: %s", (line) => {
    expect(isHarmless(words(line))).toBe(true);
  });

  it.each([
    // other programs, and names that objects have anyway
    "rm -rf src",
    "sh -c ls",
    "bash",
    "curl http://x",
    "env",
    "constructor",
    "__proto__",
    "toString x",
    "/bin/ls",
    "./ls",
    "LS",
    "sudo ls",
    // out of the tree
    "ls /",
    "ls ../..",
    "ls src/../../..",
    "ls ~",
    "ls --color=/etc",
    "node --test /tmp/x.ts",
    "node --test ../x.ts",
    "node --test ~/x.ts",
    // more than looking
    "git push",
    "git commit -m x",
    "git checkout .",
    "git -c alias.status=!sh status",
    "git -C / status",
    "git --exec-path=/tmp status",
    "git diff",
    "git grep x",
    "git log --output=x",
    "git log -p --outpu=x",
    "git log -o x",
    "git show --ext-diff",
    "git show --ext-d",
    "git log --textconv",
    "git show --no-index /etc/passwd /dev/null",
    "git blame --contents /etc/passwd README.md",
    "git blame --conten=x a",
    "git show --show-signature",
    "git log -O/etc/passwd",
    "git show /etc/passwd",
    "git log -- ../x",
    "node",
    "node x.js",
    "node -e 1",
    "node --test --import ./x.js",
    "node --test --require=./x.js a.ts",
    "node --import ./x.js --test",
    "node --test -r x",
    "npm run build",
    "npm install",
    "npm test --ignore-scripts=false",
    "npm test -- --config=x",
    "npm exec x",
    "npm",
    "",
  ])("that could do anything else is asked about: %j [RUN-11]", (line) => {
    expect(isHarmless(words(line))).toBe(false);
  });

  function world(decision: boolean) {
    const folder = scratchFolder();
    const tree = join(folder.path, "tree");
    mkdirSync(join(tree, "src"), { recursive: true });
    symlinkSync("/etc", join(tree, "etc"));
    const asked: (readonly string[])[] = [];
    const ran: unknown[] = [];
    const tool = commandTool({
      workspace: { tree } as Workspace,
      approve: async (argv) => (asked.push(argv), decision),
      command: async (request) => (
        ran.push(request),
        { end: "exited", exitCode: 0, output: "done", truncated: false, durationMs: 1 }
      ),
    });
    const call = { id: "1", signal: new AbortController().signal };
    return {
      tree,
      asked,
      ran,
      run: (line: string) => tool.run({ argv: words(line) }, call),
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  }

  it("runs as argv in the worktree when it is harmless, and its output goes back to the model", async () => {
    using at = world(false);
    expect(await at.run("ls src")).toEqual({ end: "exited", exitCode: 0, output: "done", truncated: false });
    expect([at.asked, at.ran]).toEqual([[], [expect.objectContaining({ argv: ["ls", "src"], cwd: at.tree })]]);
  });

  it("runs after a person's yes, and is a tool error after a no, without having run [RUN-11]", async () => {
    using yes = world(true);
    await yes.run("make all");
    expect([yes.asked, yes.ran.length]).toEqual([[["make", "all"]], 1]);
    using no = world(false);
    await expect(no.run("make all")).rejects.toThrow('"make all" was not approved; do without it');
    expect(no.ran).toEqual([]);
  });

  it("that leaves the tree through a link is asked about like any other [RUN-3]", async () => {
    using at = world(false);
    await expect(at.run("ls etc")).rejects.toThrow("not approved");
    await expect(at.run("node --test etc/passwd")).rejects.toThrow("not approved");
    expect(at.ran).toEqual([]);
  });
});
