/** The first index of a tree by us and by other tools, each as a user starts it, on the same tree in one run. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { openCodeIndex } from "../../src/adapters/index-threads/index.ts";
import { defaultLimits } from "../../src/knowledge/code-index/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { copyThisRepository, git } from "../load/code-trees.ts";
import { askLanguageServer } from "../peers/ask-language-server.ts";
import { installPeer } from "../peers/install-peer.ts";
import { sylkBin } from "../processes/daemon.ts";
import { median as middle } from "../statistics.ts";
import { measureCommand, type TreeUsage } from "../processes/measure-tree.ts";
import { benchEnv } from "../processes/scratch-home.ts";
import { textsBeside, whole } from "./code-index.ts";

type Place = { readonly scratch: string; readonly peers: string; readonly env: Readonly<Record<string, string>> };
type Indexed = TreeUsage & { readonly files: number; readonly diskMb?: number };

const command = "npm run bench -- --only index-peers --peer";
const rounds = 3;
const opened = "src/main.ts";

export const indexPeers: Bench = {
  name: "index-peers",
  method: `A clone of this repository and the modules of Python's own library, each indexed from nothing by a process of its own; processor time (user and system) and memory of that process with all it starts, git included; ${rounds} interleaved rounds, installed with --peer at pinned versions. Ours is \`sylk map\` without a daemon. typescript-language-server: until it answers workspace/symbol, and until it has sent diagnostics of every file of src. pyright: one whole check. codegraph: \`codegraph init\`. ctags: \`ctags -R\`. ripgrep: \`rg -l -F\` as a process for each text that few files have, beside a question to the index. Files are those of the tree, for typescript-language-server the TypeScript files of src.`,
  async run({ peer }) {
    if (!peer) return [{ what: `not measured (${command})`, value: NaN, unit: "x", rounds: [] }];
    using trees = copyThisRepository();
    const place = { scratch: trees.folder, peers: join(trees.folder, "peers"), env: peerEnv(trees.folder) };
    mkdirSync(place.peers);
    await installPeer(place.peers, "index");
    return [
      ...(await overOurTree(trees.own, place)),
      ...(await overPython(place)),
      ...(await besideRipgrep(trees.own, place)),
    ];
  },
};

/** No account, no telemetry, no settings of the user. */
function peerEnv(scratch: string): Record<string, string> {
  const home = join(scratch, "peer-home");
  mkdirSync(home);
  return benchEnv({ HOME: home, DO_NOT_TRACK: "1", CODEGRAPH_TELEMETRY: "0" });
}

async function overOurTree(tree: string, place: Place): Promise<readonly Figure[]> {
  const { peers, env } = place;
  const [ours, tsls, symbols, graph, tags]: [Indexed[], Indexed[], Indexed[], Indexed[], Indexed[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const [oursSecond, graphSecond]: [Indexed[], Indexed[]] = [[], []];
  const all = covered(tree, "*");
  const typescript = tracked(tree, "src/*.ts");
  const second = join(place.scratch, "second");
  git(tree, "worktree", "add", "--quiet", "--detach", second);
  const codegraph = [
    process.execPath,
    join(peers, "node_modules/@colbymchenry/codegraph/npm-shim.js"),
    "init",
  ] as const;
  for (let round = 0; round < rounds; round++) {
    const home = join(place.scratch, `home-${round}`);
    ours.push(await bySylk(tree, home, place));
    oursSecond.push(await bySylk(second, home, place));
    const tsserver = join(peers, "node_modules/typescript-language-server/lib/cli.mjs");
    const argv = [process.execPath, tsserver, "--stdio"] as const;
    const files = [opened, ...typescript.filter((path) => path !== opened)] as const;
    const asked = await askLanguageServer({ argv, tree, env, files, symbol: "openDerivedFile" });
    tsls.push({ ...asked.diagnostics, files: typescript.length });
    symbols.push({ ...asked.symbols, files: typescript.length });
    for (const [folder, kept] of [
      [tree, graph],
      [second, graphSecond],
    ] as const) {
      const usage = await measureCommand({ argv: [...codegraph, "."], cwd: folder, env });
      kept.push({ ...usage, files: all, diskMb: sizeMb(join(folder, ".codegraph")) });
      rmSync(join(folder, ".codegraph"), { recursive: true });
    }
    if (hasCtags()) tags.push(await byCtags(tree, place, all));
  }
  return [
    ...sideOf("ours, this repository", ours),
    ...sideOf("typescript-language-server, all files checked", tsls, ours, 10),
    ...sideOf("typescript-language-server, symbols known", symbols, ours),
    ...sideOf("codegraph 1.6.1", graph, ours, 2),
    secondTree(oursSecond, graphSecond),
    ...(tags.length === 0 ? [absent("universal-ctags")] : sideOf("universal-ctags, definitions only", tags, ours)),
  ];
}

async function overPython(place: Place): Promise<readonly Figure[]> {
  const tree = pythonLibrary(place.scratch);
  if (tree === undefined) return [absent("Python's library, for pyright")];
  const [ours, pyright]: [Indexed[], Indexed[]] = [[], []];
  const files = covered(tree, "*.py");
  for (let round = 0; round < rounds; round++) {
    ours.push(await bySylk(tree, join(place.scratch, `python-home-${round}`), place));
    const argv = [process.execPath, join(place.peers, "node_modules/pyright/index.js"), "."] as const;
    pyright.push({ ...(await measureCommand({ argv, cwd: tree, env: place.env, answers: [0, 1] })), files });
  }
  return [...sideOf("ours, Python's library", ours), ...sideOf("pyright", pyright, ours, 3)];
}

async function besideRipgrep(tree: string, { scratch, peers }: Place): Promise<readonly Figure[]> {
  const [rg] = globSync("node_modules/@vscode/ripgrep*/bin/rg", { cwd: peers });
  if (rg === undefined) return [absent("ripgrep")];
  const terms = { folder: join(scratch, "text-index"), limits: defaultLimits, env: process.env, watches: true };
  const index = openCodeIndex(terms);
  try {
    await whole(index, tree);
    return await textsBeside("ripgrep", [join(peers, rg), "-l", "-F", "-e"], index, tree);
  } finally {
    await index.stop();
  }
}

async function bySylk(tree: string, home: string, { env }: Place): Promise<Indexed> {
  const argv = [process.execPath, sylkBin, "map", "--tokens", "200", "--wait", "1m"] as const;
  const before = sizeMb(join(home, "index"));
  const usage = await measureCommand({ argv, cwd: tree, env: { ...env, SYLK_HOME: home } });
  return { ...usage, files: covered(tree, "*"), diskMb: sizeMb(join(home, "index")) - before };
}

async function byCtags(tree: string, { scratch, env }: Place, files: number): Promise<Indexed> {
  const tags = join(scratch, "tags");
  const argv = ["ctags", "-R", "-f", tags, "--exclude=.git", "."] as const;
  const usage = await measureCommand({ argv, cwd: tree, env });
  return { ...usage, files, diskMb: statSync(tags).size / 1_048_576 };
}

/** Processor time, memory, disk; and how many times more it takes than ours for a file. */
function sideOf(
  what: string,
  theirs: readonly Indexed[],
  ours?: readonly Indexed[],
  least?: number,
): readonly Figure[] {
  const rates = theirs.map(({ files, cpuSeconds }) => files / cpuSeconds);
  const disks = theirs.flatMap(({ diskMb }) => diskMb ?? []);
  const peaks = theirs.map(({ peakMb }) => peakMb);
  const ratio = ours?.map(({ files, cpuSeconds }, round) => files / cpuSeconds / rates[round]!) ?? [];
  return [
    { what: `${what}: files of a processor second`, value: middle(rates), unit: "/s", rounds: rates },
    { what: `${what}: memory at its largest`, value: middle(peaks), unit: "MB", rounds: peaks },
    ...(disks.length === 0
      ? []
      : [{ what: `${what}: on the disk`, value: middle(disks), unit: "MB", rounds: disks } as const]),
    ...(ours === undefined
      ? []
      : [
          {
            what: `ours / ${what}, files of a processor second`,
            value: middle(ratio),
            unit: "x",
            rounds: ratio,
            ...(least === undefined ? {} : { target: { text: `>= ${least} x`, met: middle(ratio) >= least } }),
          } as const,
        ]),
  ];
}

function secondTree(ours: readonly Indexed[], theirs: readonly Indexed[]): Figure {
  const ratio = theirs.map(({ cpuSeconds }, round) => cpuSeconds / ours[round]!.cpuSeconds);
  const value = middle(ratio);
  const target = { text: ">= 20 x", met: value >= 20 };
  return { what: "a second worktree: codegraph / ours, processor time", value, unit: "x", rounds: ratio, target };
}

function absent(what: string): Figure {
  return { what: `${what}: absent on this machine`, value: NaN, unit: "x", rounds: [] };
}

function hasCtags(): boolean {
  try {
    return execFileSync("ctags", ["--version"], { encoding: "utf8" }).includes("Universal");
  } catch {
    return false;
  }
}

function pythonLibrary(scratch: string): string | undefined {
  let library: string;
  try {
    const code = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    library = execFileSync("python3", ["-c", code], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
  const tree = join(scratch, "python");
  const isLeftOut = (path: string): boolean => /(^|\/)(tests?|[a-z]+-packages|__pycache__)(\/|$)/.test(path);
  for (const path of globSync("**/*.py", { cwd: library, exclude: isLeftOut }))
    if (!isLeftOut(path)) cpSync(join(library, path), join(tree, path));
  git(tree, "init", "--quiet", "--initial-branch=main");
  git(tree, "add", "--all", "--force");
  git(tree, "commit", "--quiet", "--message", basename(library));
  return tree;
}

function covered(tree: string, pattern: string): number {
  return tracked(tree, pattern).length;
}

function tracked(tree: string, pattern: string): readonly string[] {
  return git(tree, "ls-files", "-z", pattern).split("\0").filter(Boolean);
}

function sizeMb(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1_048_576;
}
