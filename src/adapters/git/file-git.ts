/** What local history asks git: ignored, committed and changed files, a three-way merge, a patch. Names and contents byte for byte. */
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CommittedFile, FileGit, Side } from "../../coordination/file-history/index.ts";
import { type Git, GitFailed } from "./run-git.ts";

const mostAtOnce = 500;

export function createFileGit(git: Git): FileGit {
  return {
    ignored: async (tree, paths) =>
      existsSync(join(tree, ".git")) ? new Set(await ignoredAmong(tree, paths, git)) : new Set(),
    async committed(tree, paths) {
      const found = new Map<string, CommittedFile>();
      for (let at = 0; at < paths.length; at += mostAtOnce)
        for (const [path, file] of await committedAmong(tree, paths.slice(at, at + mostAtOnce), git))
          found.set(path, file);
      return found;
    },
    async changed(tree) {
      if (!existsSync(join(tree, ".git"))) return [];
      const listed = await git(tree, ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"], {
        encoding: "latin1",
      });
      return listed
        .split("\0")
        .filter((entry) => entry !== "" && !entry.endsWith("/"))
        .map((entry) => nameOf(entry.slice(3)).normalize("NFC"));
    },
    merge: (current, mine, before, labels) =>
      inScratch(async (folder) => {
        await Promise.all(
          Object.entries({ current, mine, before }).map(([name, content]) => writeFile(join(folder, name), content)),
        );
        const named = [labels.current, labels.mine, labels.before].flatMap((label) => ["-L", label]);
        const args = ["merge-file", "-p", "--diff3", ...named, "current", "mine", "before"];
        try {
          return { isClean: true, content: bytesOf(await git(folder, args, { encoding: "latin1" })) };
        } catch (error) {
          if (!(error instanceof GitFailed) || error.exitCode > 127) {
            if (error instanceof GitFailed && /binary/i.test(error.stderr)) return undefined;
            throw error;
          }
          return { isClean: false, content: bytesOf(error.stdout) };
        }
      }),
    diff: (from, to) =>
      inScratch(async (folder) => {
        for (const [side, files] of [
          ["a", from],
          ["b", to],
        ] as const)
          await layOut(join(folder, side), files);
        const args = ["diff", "--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "--no-textconv", "a", "b"];
        try {
          return await git(folder, args);
        } catch (error) {
          if (error instanceof GitFailed && error.exitCode === 1) return error.stdout; // they differ
          throw error;
        }
      }),
  };
}

/** A path that git cannot judge (inside a submodule, behind a link) counts as ignored: it is not a file of this tree. */
async function ignoredAmong(tree: string, paths: readonly string[], git: Git): Promise<readonly string[]> {
  try {
    const input = paths.map((path) => `${latin1(path)}\0`).join("");
    const listed = await git(tree, ["check-ignore", "-z", "--stdin"], { input, encoding: "latin1" });
    return listed.split("\0").filter(Boolean).map(nameOf);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (error.exitCode === 1) return [];
    if (paths.length <= 1) return paths;
    const middle = paths.length >> 1;
    const halves = [paths.slice(0, middle), paths.slice(middle)];
    return (await Promise.all(halves.map((half) => ignoredAmong(tree, half, git)))).flat();
  }
}

async function committedAmong(
  tree: string,
  paths: readonly string[],
  git: Git,
): Promise<readonly (readonly [string, CommittedFile])[]> {
  const listed = await git(tree, ["ls-tree", "-z", "--full-tree", "HEAD", "--", ...paths], {
    encoding: "latin1",
  }).catch((error: unknown) => {
    const said = error instanceof GitFailed ? error.stderr : "";
    // No commit yet, no repository, or the whole tree is gone.
    if (/Not a valid object name HEAD|not a git repository/.test(said) || !existsSync(tree)) return "";
    throw error;
  });
  const blobs = listed.split("\0").flatMap((entry) => {
    const [, mode, object, name] = /^(100\d{3}|120000) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(entry) ?? [];
    return name === undefined
      ? []
      : [{ path: nameOf(name), object: object!, isExecutable: mode === "100755", isLink: mode === "120000" }];
  });
  if (blobs.length === 0) return [];
  const input = blobs.map(({ object }) => `${object}\n`).join("");
  const printed = await git(tree, ["cat-file", "--batch"], { input, encoding: "latin1" });
  let at = 0;
  return blobs.flatMap(({ path, isExecutable, isLink }) => {
    const headEnd = printed.indexOf("\n", at);
    const [, type, size] = printed.slice(at, headEnd).split(" ");
    if (type !== "blob") {
      at = headEnd + 1;
      return [];
    }
    const start = headEnd + 1;
    at = start + Number(size) + 1;
    return [[path, { content: bytesOf(printed.slice(start, at - 1)), isExecutable, isLink }] as const];
  });
}

async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "sylk-merge-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function layOut(folder: string, files: readonly Side[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { path, content, mode } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    if ((mode & 0o170000) === 0o120000) {
      await symlink(content, join(folder, path));
      continue;
    }
    await writeFile(join(folder, path), content);
    await chmod(join(folder, path), (mode & 0o111) === 0 ? 0o600 : 0o700);
  }
}

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function nameOf(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
