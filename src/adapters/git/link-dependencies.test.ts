import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { world } from "./testkit.ts";

type World = Awaited<ReturnType<typeof world>>;

function install(at: World): void {
  at.put("node_modules/left-pad/index.js", "module.exports = 'installed';\n");
  at.put("node_modules/@tools/lint/index.js", "module.exports = 'lint';\n");
  at.put("node_modules/.bin/lint", "#!/bin/sh\n");
}

function commit(at: World, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) at.put(path, content);
  at.git("add", "--all");
  at.git("commit", "--quiet", "--message", "two");
}

async function prepared(at: World) {
  const { workspace } = await at.workspaces.prepare({ repository: at.repository, name: "run-2" });
  await at.workspaces.ensure(workspace);
  return workspace.tree;
}

const required = (tree: string, what: string): string =>
  execFileSync(process.execPath, ["-p", `require(${JSON.stringify(what)})`], { cwd: tree, encoding: "utf8" }).trim();

describe("what the project has installed", () => {
  it("is at hand in the run's tree and no part of its content [RUN-6]", async () => {
    using at = await world();
    commit(at, { ".gitignore": "node_modules/\n", "package.json": "{}" });
    install(at);
    const tree = await prepared(at);
    expect([required(tree, "left-pad"), required(tree, "@tools/lint")]).toEqual(["installed", "lint"]);
    expect(realpathSync(join(tree, "node_modules/.bin/lint"))).toBe(
      realpathSync(join(at.repository, "node_modules/.bin/lint")),
    );
    expect(at.git("-C", tree, "status", "--porcelain")).toBe("");
  });

  it("means the run's own packages, not those of the repository", async () => {
    using at = await world();
    const cart = "packages/cart/package.json";
    commit(at, { ".gitignore": "node_modules/\n", "package.json": "{}", [cart]: "{}", "packages/cart/index.js": "1" });
    install(at);
    at.put("packages/cart/node_modules/deep/index.js", "module.exports = 'deep';\n");
    at.put("node_modules/@shop/.keep", "");
    symlinkSync("../../packages/cart", join(at.repository, "node_modules/@shop/cart"));
    const tree = await prepared(at);
    writeFileSync(join(tree, "packages/cart/index.js"), "module.exports = 'changed by the run';\n");
    expect(required(tree, "@shop/cart")).toBe("changed by the run");
    expect(required(join(tree, "packages/cart"), "deep")).toBe("deep");
  });

  it("leaves out caches that tools write, and makes nothing behind a link out of the tree", async () => {
    using at = await world();
    commit(at, { ".gitignore": "node_modules/\n", "package.json": "{}", "packages/cart/package.json": "{}" });
    install(at);
    at.put("node_modules/.cache/tool", "the user's own");
    at.put("packages/cart/node_modules/deep/index.js", "1");
    const { workspace } = await at.workspaces.prepare({ repository: at.repository, name: "run-2" });
    const outside = join(at.folder.path, "outside");
    mkdirSync(join(outside, "cart"), { recursive: true });
    await at.workspaces.ensure(workspace);
    expect(existsSync(join(workspace.tree, "node_modules/.cache"))).toBe(false);
    rmSync(join(workspace.tree, "packages"), { recursive: true });
    symlinkSync(outside, join(workspace.tree, "packages"));
    await at.workspaces.ensure(workspace);
    expect(readdirSync(join(outside, "cart"))).toEqual([]);
  });

  it("is left out where git would take it for content, and where nothing is installed", async () => {
    using at = await world();
    commit(at, { ".gitignore": "other/\n", "package.json": "{}" });
    install(at);
    expect(existsSync(join(await prepared(at), "node_modules"))).toBe(false);
  });

  it("stays when the run's tree is given up, and a dangling link does no harm", async () => {
    using at = await world();
    commit(at, { ".gitignore": "node_modules/\n", "package.json": "{}" });
    install(at);
    symlinkSync("nowhere", join(at.repository, "node_modules/dangling"));
    const { workspace } = await at.workspaces.prepare({ repository: at.repository, name: "run-2" });
    await at.workspaces.ensure(workspace);
    await at.workspaces.ensure(workspace);
    await at.workspaces.quarantine(workspace);
    expect(existsSync(workspace.tree)).toBe(false);
    expect(readFileSync(join(at.repository, "node_modules/left-pad/index.js"), "utf8")).toContain("installed");
  });
});
