/** A small repository with one commit and the workspaces over it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createGit } from "./run-git.ts";
import { createWorkspaces } from "./workspaces.ts";

export const env = {
  PATH: process.env.PATH,
  HOME: "/nowhere",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export async function world() {
  const folder = scratchFolder();
  const repository = join(folder.path, "shop");
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], {
      cwd: repository,
      env,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  const put = (path: string, content: string, root = repository): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  mkdirSync(repository);
  git("init", "--quiet", "--initial-branch=main");
  put("a.txt", "a\n");
  put("sub/b.txt", "b\n");
  put(".gitignore", "ignored/\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "one");
  const clock = systemClock();
  const workspaces = createWorkspaces(
    createGit(clock, { ...env, GIT_DIR: "/wrong", GIT_INDEX_FILE: "/wrong" }),
    join(folder.path, "trees"),
    clock,
  );
  const { workspace, notice } = await workspaces.prepare({ repository, name: "run-1" });
  return {
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    folder,
    repository,
    git,
    put,
    workspaces,
    workspace,
    notice,
  };
}
