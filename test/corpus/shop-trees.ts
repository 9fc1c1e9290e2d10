/**
 * Git trees for the corpus: one template for each state, copied for each command.
 *
 *   <folder>/<state>/shop + origin.git  --cp -a-->  <folder>/t7/shop + origin.git
 *
 * Branches feature and side, the tag v1.0, a bare remote that is one commit ahead, patches, archives and links.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeTree } from "../flows/scratch-home.ts";
import type { TreeState } from "./corpus-command.ts";
import * as shop from "./shop-files.ts";

export const heldFile = "src/checkout.ts";
const start = promisify(execFile);

export type ShopTrees = {
  /** A fresh copy; the held file is as its holder found it. */
  copy(state: TreeState): Promise<string>;
  /** Stand-ins for tools; first on the PATH. */
  readonly tools: string;
};

export function openShopTrees(folder: string, env: Readonly<Record<string, string>>): ShopTrees {
  const templates = new Map<TreeState, string>();
  const tools = join(folder, "tools");
  mkdirSync(folder, { recursive: true });
  writePrograms(tools, shop.machineTools);
  let copies = 0;
  return {
    tools,
    async copy(state) {
      const template = templates.get(state) ?? makeTemplate(join(folder, state), state, env);
      templates.set(state, template);
      const made = join(folder, `t${++copies}`);
      await start("cp", ["-a", template, made]);
      return join(made, "shop");
    },
  };
}

/** The holder's lines; with a second name of the file where the state wants one. */
export function writeLines(tree: string, state: TreeState): void {
  if (state === "clean") return;
  writeFileSync(join(tree, heldFile), shop.uncommitted);
  if (state !== "hard-linked") return;
  mkdirSync(join(tree, "shared"));
  linkSync(join(tree, heldFile), join(tree, "shared", "checkout.ts"));
}

function makeTemplate(folder: string, state: TreeState, env: Readonly<Record<string, string>>): string {
  const root = join(folder, "shop");
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, env, encoding: "utf8" });
  const commit = (message: string, files: Readonly<Record<string, string>>): void => {
    writeTree(root, files);
    git("add", "-A");
    git("commit", "-qm", message);
  };
  git("init", "-q", "--template=", "--initial-branch=main");
  // A copy has other inodes; git shall still know that its files are as committed.
  git("config", "core.checkStat", "minimal");
  git("config", "core.trustctime", "false");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@shop.invalid");
  commit("A small shop", { ...shop.shopFiles, [heldFile]: shop.older });
  git("tag", "v1.0");
  writePatches(root, git);
  writeArchives(root);
  mkdirSync(join(root, "links"));
  symlinkSync("../src/checkout.ts", join(root, "links", "checkout.ts"));
  symlinkSync("../src", join(root, "links", "src"));
  commit("Prices in euro", { [heldFile]: shop.committed });
  git("branch", "side");
  execFileSync("git", ["clone", "-q", "--template=", "--bare", root, join(folder, "origin.git")], { env });
  git("remote", "add", "origin", "../origin.git");
  git("fetch", "-q", "origin");
  git("branch", "-q", "--set-upstream-to=origin/main");
  publishAhead(folder, git, commit);
  if (state === "clean") commit("A discount", { [heldFile]: shop.uncommitted });
  if (state === "untracked") {
    git("rm", "-q", heldFile);
    git("commit", "-qm", "No checkout yet");
    mkdirSync(join(root, "src"), { recursive: true });
  }
  writePrograms(join(root, "node_modules", ".bin"), shop.projectTools);
  // Few files: each command has a copy of its own.
  git("gc", "-q");
  return folder;
}

type Git = (...args: string[]) => string;
type Commit = (message: string, files: Readonly<Record<string, string>>) => void;

/** The branches feature and side, and one commit that only the remote has. */
function publishAhead(folder: string, git: Git, commit: Commit): void {
  git("switch", "-q", "side");
  commit("Another price", { "src/price.ts": "export const price = 11;\n" });
  git("switch", "-qc", "feature", "main");
  commit("Start at one", { [heldFile]: shop.onFeature });
  git("switch", "-qc", "ahead", "main");
  commit("Prices in dollars", { [heldFile]: shop.atOrigin });
  git("push", "-q", join(folder, "origin.git"), "ahead:main");
  git("switch", "-q", "main");
  git("branch", "-qD", "ahead");
}

/** discount.patch changes the first line, holder.patch adds the holder's lines, the mail is for "git am". */
function writePatches(root: string, git: Git): void {
  const write = (text: string): void => writeFileSync(join(root, heldFile), text);
  write(shop.committed);
  git("add", "-A");
  git("commit", "-qm", "Base of the patches");
  write(shop.committed.replace("total = 0", "total = 50"));
  const patch = git("diff", "-U1");
  git("commit", "-qam", "Start at fifty");
  const mail = git("format-patch", "-1", "-U1", "--stdout");
  git("reset", "-q", "--hard", "HEAD~1");
  write(shop.uncommitted);
  const holder = git("diff");
  git("reset", "-q", "--hard", "v1.0");
  writeTree(join(root, "patches"), {
    "discount.patch": patch,
    "currency.patch": patch,
    "0001-currency.patch": mail,
    "holder.patch": holder,
  });
}

/** Each holds another checkout.ts; where a program is missing its archive is left out, and its rows are not run. */
function writeArchives(root: string): void {
  const from = join(root, "packed");
  writeTree(from, { [heldFile]: "export const archived = 1;\n", "checkout.ts": "export const archived = 2;\n" });
  mkdirSync(join(root, "archives"));
  const pack = (command: string): void => void spawnSync("sh", ["-c", command], { cwd: from, stdio: "ignore" });
  pack("tar cf ../archives/src.tar src");
  pack("tar czf ../archives/src.tar.gz src");
  pack("tar cf ../archives/flat.tar checkout.ts");
  pack("gzip -c checkout.ts > ../archives/checkout.ts.gz");
  pack("zip -qr ../archives/src.zip src && zip -q ../archives/flat.zip checkout.ts");
  pack("find src -name '*.ts' | cpio -o > ../archives/src.cpio");
  rmSync(from, { recursive: true });
}

function writePrograms(folder: string, programs: Readonly<Record<string, string>>): void {
  writeTree(folder, programs);
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755);
}
