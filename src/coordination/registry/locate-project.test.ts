/** Against repositories that git itself made: what is read here are git's own files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { repository, worktree } from "../testkit.ts";
import { locateProject } from "./locate-project.ts";

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=heron", "-c", "user.email=heron@example.org", "-c", "protocol.file.allow=always"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  execFileSync("git", [...identity, ...args], { cwd, env, stdio: "ignore" });
}

function initRepository(path: string): void {
  git(join(path, ".."), "init", "--initial-branch=main", path);
  git(path, "commit", "--allow-empty", "-m", "first");
}

it("knows a repository by its git directory, from any folder or file in it", async () => {
  using folder = scratchFolder();
  const shop = join(folder.path, "shop");
  initRepository(shop);
  mkdirSync(join(shop, "src", "api"), { recursive: true });
  writeFileSync(join(shop, "src", "a.ts"), "");
  const place = { path: join(shop, ".git"), name: "shop", tree: shop, branch: "main" };
  for (const inside of [shop, join(shop, "src", "api"), join(shop, "src", "a.ts")])
    expect(await locateProject(inside)).toEqual(place);
});

it("sees a change of what it has read before: a branch, a repository inside, a link that points elsewhere, an end", async () => {
  using folder = scratchFolder();
  const [shop, other, link] = ["shop", "other", "link"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  initRepository(shop);
  initRepository(other);
  const inner = join(shop, "packages", "inner");
  mkdirSync(inner, { recursive: true });
  symlinkSync(shop, link);
  for (const round of [1, 2]) {
    expect(await locateProject(inner), `${round}`).toMatchObject({ tree: shop, branch: "main" });
    expect(await locateProject(link), `${round}`).toMatchObject({ tree: shop });
  }
  git(shop, "checkout", "-b", "next");
  expect(await locateProject(inner)).toMatchObject({ tree: shop, branch: "next" });
  unlinkSync(link);
  symlinkSync(other, link);
  expect(await locateProject(link)).toMatchObject({ tree: other });
  initRepository(join(shop, "packages"));
  expect(await locateProject(inner)).toMatchObject({ tree: join(shop, "packages"), branch: "main" });
  rmSync(join(shop, "packages"), { recursive: true });
  await expect(locateProject(inner)).rejects.toMatchObject({ code: "project.not-found" });
});

it("takes every worktree of a repository for the same project with a tree and a branch of its own [IDN-3]", async () => {
  using folder = scratchFolder();
  const shop = join(folder.path, "shop");
  initRepository(shop);
  const feature = join(folder.path, "elsewhere");
  git(shop, "worktree", "add", feature);
  expect(await locateProject(feature)).toEqual({
    path: join(shop, ".git"),
    name: "shop",
    tree: feature,
    branch: "elsewhere",
  });
  git(feature, "checkout", "--detach");
  expect((await locateProject(feature)).branch).toBeUndefined();
});

it("takes a submodule for a project of its own, and a bare repository's worktree for that repository's", async () => {
  using folder = scratchFolder();
  const [shop, library] = [join(folder.path, "shop"), join(folder.path, "library")];
  initRepository(shop);
  initRepository(library);
  git(shop, "submodule", "add", library, "vendor/library");
  const submodule = await locateProject(join(shop, "vendor", "library"));
  expect(submodule).toMatchObject({ path: join(shop, ".git", "modules", "vendor", "library"), name: "library" });

  git(folder.path, "clone", "--bare", shop, "shop.git");
  const tree = join(folder.path, "tree-of-bare");
  git(join(folder.path, "shop.git"), "worktree", "add", tree);
  expect(await locateProject(tree)).toEqual({
    path: join(folder.path, "shop.git"),
    name: "shop",
    tree,
    branch: "tree-of-bare",
  });
});

it("follows links, so that one repository is one project by whatever name it is reached", async () => {
  using folder = scratchFolder();
  const shop = join(folder.path, "shop");
  initRepository(shop);
  symlinkSync(shop, join(folder.path, "link"));
  expect(await locateProject(join(folder.path, "link"))).toEqual(await locateProject(shop));
});

it("takes a folder outside of any repository for a project of its own, also with a broken .git in it", async () => {
  using folder = scratchFolder();
  const plain = realpathSync(folder.path);
  mkdirSync(join(plain, "notes", ".git"), { recursive: true });
  mkdirSync(join(plain, "torn"));
  writeFileSync(join(plain, "torn", ".git"), "not what git writes");
  for (const name of ["notes", "torn"])
    expect(await locateProject(join(plain, name))).toEqual({ path: join(plain, name), name, tree: join(plain, name) });
});

it("reads the scratch repositories of the other tests as git's own", async () => {
  using folder = scratchFolder();
  const shop = repository(folder, "shop");
  const tree = worktree(folder, shop, "shop-feature");
  expect(await locateProject(shop)).toEqual({ path: join(shop, ".git"), name: "shop", tree: shop, branch: "main" });
  expect(await locateProject(tree)).toMatchObject({ path: join(shop, ".git"), name: "shop", tree });
});
