import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { fileTools } from "./file-tools.ts";

/** A tree, something outside of it, and what happens in the tree while the tool waits for its reservation. */
function world(meanwhile: (place: { tree: string; outside: string }) => void = () => {}) {
  const folder = scratchFolder();
  const [tree, outside] = [join(folder.path, "tree"), join(folder.path, "outside")];
  mkdirSync(join(tree, "src"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(tree, "src/a.ts"), "inside");
  writeFileSync(join(outside, "a.ts"), "outside");
  const tools = fileTools({ tree, hold: async () => meanwhile({ tree, outside }) });
  const call = { id: "1", signal: new AbortController().signal };
  const use = (name: string, input: object) => tools.find((tool) => tool.name === name)!.run(input, call);
  return { tree, outside, use, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const swaps: Readonly<Record<string, (place: { tree: string; outside: string }) => void>> = {
  "the file for a link": ({ tree, outside }) => {
    rmSync(join(tree, "src/a.ts"));
    symlinkSync(join(outside, "a.ts"), join(tree, "src/a.ts"));
  },
  "its folder for a link": ({ tree, outside }) => {
    renameSync(join(tree, "src"), join(tree, "old"));
    symlinkSync(outside, join(tree, "src"));
  },
  "its folder for git's own": ({ tree }) => {
    renameSync(join(tree, "src"), join(tree, ".git"));
    symlinkSync(".git", join(tree, "src"));
  },
  "the file for a pipe": ({ tree }) => {
    rmSync(join(tree, "src/a.ts"));
    execFileSync("mkfifo", [join(tree, "src/a.ts")]);
  },
};

describe("between the look at a path and its use", () => {
  it.each(Object.keys(swaps))(
    "another process changes %s, and nothing outside is written or read [RUN-3]",
    async (swap) => {
      for (const [tool, input] of [
        ["write_file", { path: "src/a.ts", content: "written" }],
        ["edit_file", { path: "src/a.ts", find: "side", replace: "written" }],
      ] as const) {
        using at = world(swaps[swap]);
        await expect(at.use(tool, input)).rejects.toThrow(
          /outside the working tree|not a file you may use|not a plain file/,
        );
        expect(readFileSync(join(at.outside, "a.ts"), "utf8")).toBe("outside");
        if (existsSync(join(at.tree, ".git"))) expect(readFileSync(join(at.tree, ".git/a.ts"), "utf8")).toBe("inside");
      }
    },
  );

  it("a new file's folder becomes a link out of the tree, and the file is not made there [RUN-3]", async () => {
    using at = world(swaps["its folder for a link"]);
    await expect(at.use("write_file", { path: "src/new/b.ts", content: "b" })).rejects.toThrow("outside");
    expect(existsSync(join(at.outside, "new"))).toBe(false);
  });
});

describe("a file that is more than it seems", () => {
  it("with a second name outside of the tree gets its new content under this name alone [RUN-3]", async () => {
    using at = world();
    linkSync(join(at.outside, "a.ts"), join(at.tree, "src/twin.ts"));
    const { mode } = statSync(join(at.outside, "a.ts"));
    await at.use("edit_file", { path: "src/twin.ts", find: "outside", replace: "changed" });
    await at.use("write_file", { path: "src/twin.ts", content: "changed again" });
    expect(readFileSync(join(at.outside, "a.ts"), "utf8")).toBe("outside");
    expect(readFileSync(join(at.tree, "src/twin.ts"), "utf8")).toBe("changed again");
    expect(statSync(join(at.tree, "src/twin.ts")).mode).toBe(mode);
  });

  it("as a pipe or a folder is not waited for [RUN-3]", async () => {
    using at = world();
    execFileSync("mkfifo", [join(at.tree, "pipe")]);
    await expect(at.use("read_file", { path: "pipe" })).rejects.toThrow("not a plain file");
    await expect(at.use("write_file", { path: "pipe", content: "x" })).rejects.toThrow("not a plain file");
    await expect(at.use("read_file", { path: "src" })).rejects.toThrow("not a plain file");
  });

  it("keeps whether it can be run", async () => {
    using at = world();
    writeFileSync(join(at.tree, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    await at.use("write_file", { path: "run.sh", content: "#!/bin/sh\nexit 1\n" });
    expect(statSync(join(at.tree, "run.sh")).mode & 0o777).toBe(0o755);
  });
});
