import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock/index.ts";
import { env, world } from "../testkit.ts";
import { createMerger } from "./merger.ts";

const terms = { message: "Merge side into main", forward: false, check: async () => {} };

/** The branch "side" has `theirs`; main has `ours` since they parted. */
async function parted(theirs: Record<string, string>, ours: Record<string, string>) {
  const at = await world();
  const commit = (files: Record<string, string>, message: string, author: string): void => {
    for (const [path, content] of Object.entries(files)) at.put(path, content);
    at.git("add", "--all");
    at.git("-c", `user.name=${author}`, "commit", "--quiet", "--allow-empty", "--message", message);
  };
  at.git("switch", "--quiet", "--create", "side");
  commit(theirs, "theirs", "Otter");
  at.git("switch", "--quiet", "main");
  commit(ours, "ours", "Heron");
  const merger = createMerger(systemClock(), env);
  const state = () => [at.git("rev-parse", "HEAD"), at.git("status", "--porcelain"), at.git("ls-files", "--stage")];
  const merge = async (wanted: Parameters<typeof merger.locate>[1] = { branch: "side" }) =>
    merger.merge(await merger.locate(at.repository, wanted), terms);
  return { ...at, [Symbol.dispose]: at[Symbol.dispose], commit, merger, merge, state };
}

describe("a merge", () => {
  it("brings a branch in beside what others have changed and staged in the tree [GIT-14]", async () => {
    using at = await parted({ "sub/b.txt": "theirs\n", "new.txt": "new\n" }, { "c.txt": "ours\n" });
    at.put("a.txt", "edited\n");
    at.put("staged.txt", "staged\n");
    at.git("add", "staged.txt");
    expect(await at.merge()).toMatchObject({ state: "merged", paths: ["new.txt", "sub/b.txt"] });
    expect(at.git("status", "--porcelain").split("\n").sort()).toEqual(["A  staged.txt", "M a.txt"].sort());
    expect(at.git("log", "-1", "--format=%s", "--merges")).toBe(terms.message);
    expect(readFileSync(join(at.repository, "sub/b.txt"), "utf8")).toBe("theirs\n");
    expect(await at.merge()).toMatchObject({ state: "up-to-date" });
    expect(at.git("fsck", "--strict")).toBe("");
  });

  it("that conflicts leaves tree, index and HEAD as before, and names paths and both sides [GIT-12, GIT-14]", async () => {
    using at = await parted({ "a.txt": "theirs\n", "ok.txt": "1\n" }, { "a.txt": "ours\n" });
    at.put("sub/b.txt", "edited\n");
    const before = at.state();
    const outcome = await at.merge();
    expect(outcome).toMatchObject({ state: "conflict", paths: [{ path: "a.txt" }] });
    expect(outcome).toMatchObject({
      paths: [{ ours: expect.stringMatching(/^Heron in /), theirs: expect.stringMatching(/^Otter in /) }],
    });
    expect(at.state()).toEqual(before);
    expect(existsSync(join(at.repository, ".git", "MERGE_HEAD"))).toBe(false);
  });

  it.each([
    ["changed", "sub/b.txt"],
    ["new and untracked", "new.txt"],
  ])("over a file that the user has %s is refused, and moves nothing [GIT-12]", async (_, path) => {
    using at = await parted({ "sub/b.txt": "theirs\n", "new.txt": "new\n" }, {});
    writeFileSync(join(at.repository, path), "somebody's work\n");
    const before = at.state();
    await expect(at.merge()).rejects.toMatchObject({ code: "workspace.dirty", details: { changes: [path] } });
    expect(at.state()).toEqual(before);
    expect(readFileSync(join(at.repository, path), "utf8")).toBe("somebody's work\n");
    expect(existsSync(join(at.repository, ".git", "index.lock"))).toBe(false);
  });

  it("goes into a branch that is checked out elsewhere, or nowhere [GIT-14]", async () => {
    using at = await parted({ "new.txt": "new\n" }, { "c.txt": "ours\n" });
    const elsewhere = join(at.folder.path, "elsewhere");
    at.git("worktree", "add", "--quiet", "-b", "there", elsewhere, "main");
    at.git("branch", "nowhere", "main");
    await at.merge({ branch: "side", into: "there" });
    expect(readFileSync(join(elsewhere, "new.txt"), "utf8")).toBe("new\n");
    expect(await at.merge({ branch: "side", into: "nowhere" })).toMatchObject({ state: "merged" });
    expect(at.git("show", "nowhere:new.txt")).toBe("new");
    expect(at.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(at.repository, "new.txt"))).toBe(false);
  });

  it("of what is not there says so, and of unrelated histories as well", async () => {
    using at = await parted({}, {});
    await expect(at.merge({ branch: "nothing" })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(at.merge({ branch: "side", into: "nothing" })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(at.merge({})).rejects.toMatchObject({ code: "input.invalid" });
    at.git("switch", "--quiet", "--orphan", "alone");
    at.commit({ "z.txt": "z\n" }, "alone", "Wren");
    await expect(at.merge({ branch: "main" })).rejects.toMatchObject({ code: "commit.not-possible" });
  });
});
