import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { fileTools } from "./file-tools.ts";

function world(hold: (path: string) => Promise<void> = async () => {}) {
  const folder = scratchFolder();
  const held: string[] = [];
  const tools = fileTools({
    tree: folder.path,
    hold: async (path) => {
      held.push(path);
      await hold(path);
    },
  });
  const call = { id: "1", signal: new AbortController().signal };
  const use = (name: string, input: object) => tools.find((tool) => tool.name === name)!.run(input, call);
  return { path: folder.path, held, use, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("file tools", () => {
  it("write only what is held, under the file's real name [RUN-3]", async () => {
    using at = world();
    expect(await at.use("write_file", { path: "./src//a.ts", content: "a" })).toEqual({ written: "src/a.ts" });
    await at.use("edit_file", { path: "src/a.ts", find: "a", replace: "$& b" });
    expect([at.held, readFileSync(join(at.path, "src/a.ts"), "utf8")]).toEqual([["src/a.ts", "src/a.ts"], "$& b"]);
    expect(await at.use("read_file", { path: "src/a.ts" })).toEqual({ content: "$& b", truncated: false });
    expect(at.held, "reading holds nothing").toHaveLength(2);
  });

  it("write nothing that another agent holds [RUN-3]", async () => {
    using at = world(() => Promise.reject(new Error("held by otter")));
    await expect(at.use("write_file", { path: "a.ts", content: "a" })).rejects.toThrow("held by otter");
    expect(existsSync(join(at.path, "a.ts"))).toBe(false);
  });

  it("ask for no reservation outside of the tree [RUN-3]", async () => {
    using at = world();
    await expect(at.use("write_file", { path: "../a.ts", content: "a" })).rejects.toThrow("outside the working tree");
    await expect(at.use("edit_file", { path: "/etc/passwd", find: "root", replace: "me" })).rejects.toThrow(
      "outside the working tree",
    );
    await expect(at.use("read_file", { path: "../../etc/passwd" })).rejects.toThrow("outside the working tree");
    expect(at.held).toEqual([]);
  });

  it("edit a text that occurs exactly once, and no other", async () => {
    using at = world();
    writeFileSync(join(at.path, "a.ts"), "one two two");
    await expect(at.use("edit_file", { path: "a.ts", find: "two", replace: "x" })).rejects.toThrow(
      "occurs 2 times in a.ts",
    );
    await expect(at.use("edit_file", { path: "a.ts", find: "three", replace: "x" })).rejects.toThrow(
      "occurs 0 times in a.ts",
    );
    expect(readFileSync(join(at.path, "a.ts"), "utf8")).toBe("one two two");
  });

  it("read a long file up to a limit, and say so", async () => {
    using at = world();
    writeFileSync(join(at.path, "long.txt"), "x".repeat(300_000));
    expect(await at.use("read_file", { path: "long.txt" })).toEqual({ content: "x".repeat(200_000), truncated: true });
  });
});
