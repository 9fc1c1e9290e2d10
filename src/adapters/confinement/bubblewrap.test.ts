import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { bubblewrapWords } from "./bubblewrap.ts";

const isMissing =
  spawnSync(bubblewrapWords({ readOnly: [], pinned: [] }, { agent: "", tree: "", must: true })[0]!, ["--version"])
    .error !== undefined;
const isRoot = process.getuid?.() === 0;
const uid = isRoot ? 65_534 : process.getuid!();

it("keeps the same by bubblewrap, where the helper may not make a namespace", ({ skip }) => {
  skip(isMissing, "bwrap is not on the PATH (Debian: apt-get install bubblewrap)");
  using folder = scratchFolder();
  chmodSync(folder.path, 0o755);
  const tree = join(folder.path, "a tree");
  mkdirSync(join(tree, "src"), { recursive: true });
  writeFileSync(join(tree, "src", "held.ts"), "kept");
  if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, folder.path]);
  const gone = join(tree, "src", "gone.ts");
  const places = { readOnly: [join(tree, "src", "held.ts"), gone], pinned: [join(tree, "src")] };
  const words = bubblewrapWords(places, { agent: "agt_1", tree, must: true });
  const attack =
    "(echo lost > src/held.ts); rm -rf src; mv src away; umount src/held.ts; echo $SYLK_CONFINED > src/free.ts; exit 6";
  const { status } = spawnSync(words[0]!, [...words.slice(1), "sh", "-c", attack], {
    cwd: tree,
    ...(isRoot ? { uid, gid: uid } : {}),
  });
  const read = (name: string): string => readFileSync(join(tree, "src", name), "utf8");
  expect([status, read("held.ts"), read("free.ts")]).toEqual([6, "kept", `agt_1:${tree}\n`]);
});
