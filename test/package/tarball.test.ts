/** What `npm publish` would send: packed, looked through, installed by a user, run. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { repository } from "../tooling/scratch-folder.ts";
import { installPackage, type InstalledPackage } from "./packed-package.ts";

const mostUnpackedBytes = 25_000_000;
const mostPackedBytes = 8_000_000;
const allowed = [
  /^(package\.json|README\.md|LICENSE)$/,
  /^bin\/[\w-]+\.cjs$/,
  /^dist\/(main|client|contract|engine)\.mjs$/,
  /^dist\/(statusline|line-without-daemon)\.cjs$/,
  /^dist\/chunks\/[\w-]+\.mjs$/,
  /^dist\/files\/([\w-]+\/)*migrations\/\d{4}-[\w-]+\.sql$/,
  /^dist\/files\/(adapters|agents|knowledge|orchestration|surfaces)\/([\w-]+\/)+[\w-]+\.(md|js|cjs|css|html|svg|json|sh|pl)$/,
  /^dist\/files\/adapters\/syntax\/(queries\/[\w-]+\.scm|grammars\/\w+\.wasm\.br)$/,
  /^dist\/files\/dashboard\/(index\.html|signin-refused\.html|icon\.svg|assets\/[\w-]+\.(js|css))$/,
  /^dist\/types\/([\w-]+\/)*[\w-]+(\.sqlite)?\.d\.ts$/,
  /^dist\/THIRD-PARTY-LICENSES\.txt$/,
  /^plugins\/README\.md$/,
  /^plugins\/(sylk|gemini|opencode)\/([\w.-]+\/)*[\w.-]+$/,
  /^samples\/scenarios\/[\w-]+\.yaml$/,
  /^samples\/shop\/([\w-]+\/)*[\w.-]+\.(md|json|ts|mjs|js)$/,
];

const packed = inject("packed");
let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed[Symbol.dispose]());

describe("the package", () => {
  it("holds the program and nothing else: no tests of ours, no maps, no sources, no caches [CORE-4]", () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "dist/main.mjs", "dist/types/contract/index.d.ts"]));
  });

  it("is smaller than 25 MB on disk and 8 MB packed, with all grammars [CORE-4]", () => {
    const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);
    const { unpackedBytes, packedBytes, files } = packed;
    console.log(`${files.length} files, ${megabytes(unpackedBytes)} MB on disk, ${megabytes(packedBytes)} MB packed`);
    expect(unpackedBytes).toBeLessThan(mostUnpackedBytes);
    expect(packedBytes).toBeLessThan(mostPackedBytes);
  });

  it("carries the licence of everything that is bundled into it", () => {
    const home = join(installed.project, "node_modules", "sylk", "dist");
    const notices = readFileSync(join(home, "THIRD-PARTY-LICENSES.txt"), "utf8");
    const chunks = readdirSync(join(home, "chunks")).map((name) => readFileSync(join(home, "chunks", name), "utf8"));
    const bundled = new Set(chunks.flatMap(bundledPackages));
    expect(bundled.size).toBeGreaterThan(10);
    expect([...bundled].filter((name) => !new RegExp(`^${name} \\d`, "m").test(notices))).toEqual([]);
  });

  it("brings better-sqlite3 and zod along, and no tool of its development [CORE-4]", () => {
    const manifest = manifestOf(join(installed.project, "node_modules", "sylk"));
    expect(Object.keys(manifest.dependencies ?? {}).toSorted()).toEqual(["better-sqlite3", "zod"]);
    const ours = Object.keys(manifestOf(repository).devDependencies ?? {});
    expect(ours.length).toBeGreaterThan(10);
    const there = ours.filter((name) => existsSync(join(installed.project, "node_modules", name)));
    expect(there).toEqual([]);
  });
});

describe("installed without development tools", () => {
  it("runs the demo [CORE-4]", async () => {
    const demo = await installed.sylk(["demo"]);
    expect(demo.output).toContain("What to try next");
    expect(demo.status).toBe(0);
    const version = await installed.sylk(["--version"]);
    expect(version.lastLine).toBe(manifestOf(repository).version);
  });

  it("explains every command like a manual: usage, what, options, example, exit codes [CORE-25]", async () => {
    const overview = await installed.sylk(["help", "--all"]);
    expect(overview.status).toBe(0);
    for (const { words, summary, group } of commandTable) {
      // Plumbing is explained and in no list.
      if (group !== "Plumbing") expect(overview.output).toMatch(new RegExp(`^ {2}${words} {2}`, "m"));
      const { status, output } = await installed.sylk([...words.split(" "), "--help"]);
      expect(status, words).toBe(0);
      expect(output, words).toMatch(new RegExp(`^Usage: sylk ${words} .*\n\n`));
      expect(output.replaceAll(/\s+/g, " "), words).toContain(summary);
      expect(output, words).toMatch(/\nOptions:\n[^]*\nExample:\n {2}.*\bsylk\b[^]*\n\nExit codes:\n {2}0 {3}done\n/);
      const takesArguments = /^Usage: .*\[options\] \S/.test(output);
      expect(/\nArguments:\n/.test(output), words).toBe(takesArguments);
    }
  });

  it("completes in bash [CORE-25]", () => expectCompletions("bash"));

  /** Without the id: whether it is fulfilled must not hang on what a machine has installed. */
  it.for(["zsh", "fish"] as const)("completes in %s", (shell, { skip }) => {
    skip(spawnSync(shell, ["-c", "true"]).status !== 0, `${shell} is not installed`);
    expectCompletions(shell);
  });

  it("starts no daemon and takes no time for a completion [CORE-25]", async () => {
    const { status, output } = await installed.sylk(["__complete", "--", "claim", ""]);
    expect({ status, output }).toEqual({ status: 0, output: "" });
    expect(existsSync(join(installed.env["SYLK_HOME"]!, "daemon.json"))).toBe(false);
  });
});

function expectCompletions(shell: keyof typeof completions): void {
  expect(completions[shell](["wo"])).toEqual(["work", "worktree"]);
  expect(completions[shell](["work", "list", "--status", "in"])).toEqual(["in_progress"]);
  expect(completions[shell](["reserve", "--sh"])).toEqual(["--shared"]);
}

/** What each shell offers after `sylk` and these words, asked as it asks itself. */
const completions: Record<"bash" | "zsh" | "fish", (words: readonly string[]) => readonly string[]> = {
  bash: (words) => {
    const typed = ["sylk", ...words].map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _sylk; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return inShell("bash", ["--norc", "-c", `source <(sylk completion bash); complete -p sylk >/dev/null && ${ask}`]);
  },
  zsh: (words) => {
    const typed = ["sylk", ...words].map((word) => `'${word}'`).join(" ");
    const stubs = "compdef() { :; }; compadd() { shift; print -l -- $@; }; _files() { :; }";
    const ask = `words=(${typed}); CURRENT=${words.length + 1}; _sylk`;
    return inShell("zsh", ["-f", "-c", `${stubs}; source <(sylk completion zsh); ${ask}`]);
  },
  fish: (words) => {
    const ask = `complete -C '${["sylk", ...words].join(" ")}'`;
    return inShell("fish", ["--no-config", "-c", `sylk completion fish | source; ${ask}`]).map(
      (line) => line.split("\t")[0]!,
    );
  },
};

function inShell(shell: string, args: readonly string[]): readonly string[] {
  const path = [join(installed.project, "node_modules", ".bin"), installed.env["PATH"]].join(delimiter);
  const run = spawnSync(shell, args, {
    cwd: installed.project,
    env: { ...installed.env, PATH: path },
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  return run.stdout.trimEnd().split("\n");
}

/** The bundler notes above each module where it came from. */
function bundledPackages(chunk: string): readonly string[] {
  const notes = chunk.matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
  return [...notes].map(([, name]) => name!);
}

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly version: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
}
