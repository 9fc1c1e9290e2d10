/** Precise answers through a real daemon: a language server that is a real process, and an imported SCIP index. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import { groupRuns } from "../../src/adapters/processes/process-identity.ts";
import { writeIndex } from "../../src/adapters/scip/testkit.ts";
import type { OutputOf } from "../../src/contract/index.ts";
import { jsonOf, repositoryRoot } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

const files = {
  "pyproject.toml": "[project]\n",
  "birds.py": "def heron():\n    return 1\n\ndef crash():\n    return heron()\n",
  "other.py": "import elsewhere\n\nelsewhere.heron()\n",
};
let daemon: ScratchDaemon;
let folder: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sylk-servers-")));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // Beside its program, and with Node's folder on the PATH: the sandbox shows both, wherever this repository lies.
  const script = join(folder, "scripted-server.mjs");
  copyFileSync(join(repositoryRoot, "test/language-servers/scripted-server.mjs"), script);
  // A server that neither SIGTERM nor the end of its input stops: only its record does.
  // It tries what a plugin of a hostile repository would: to write into the tree, to read the user's token and variables.
  const tries = `touch written-by-server; cat .env ../h/token`;
  const start = `SCRIPTED_DEAF=1 SCRIPTED_LOG="$STATE/log" exec "${process.execPath}" "${script}"`;
  const program = `STATE="\${XDG_STATE_HOME:-${folder}/state}"; mkdir -p "$STATE"; (${tries}) > "$STATE/tried" 2>&1`;
  writeFileSync(join(bin, "pyright-langserver"), `#!/bin/sh\n${program}\n${start}\n`);
  chmodSync(join(bin, "pyright-langserver"), 0o755);
  const path = (process.env.PATH ?? "").split(":").filter((one) => !one.includes("node_modules"));
  const env = { PATH: [bin, ...path, dirname(process.execPath)].join(":"), MY_API_KEY: "k-123", GOPATH: "/go" };
  daemon = await openScratchDaemon({ env });
  writeTree(daemon.repository, { ...files, ".env": "PASSWORD=s3cret\n", ".gitignore": ".env\n" });
});
afterAll(async () => {
  await daemon.sylk(["down"]); // ends its servers, which no signal but the last one stops
  await daemon[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function ask<T>(...args: string[]): Promise<T> {
  const run = await daemon.sylk([...args, "--json"]);
  if (run.code !== 0) throw new Error(`sylk ${args.join(" ")} ended with ${run.code}: ${run.stderr}`);
  return jsonOf<T>(run);
}
type Spots = OutputOf<"position.references">;
const servers = async () => (await ask<OutputOf<"language-server.list">>("language-servers")).items;
const placesOf = ({ items }: Pick<Spots, "items">) =>
  items.map(({ path, line, column }) => `${path}:${line}:${column}`);
const stateFolder = () => {
  const [found] = globSync("run-caches/language-servers/*/writable/state", { cwd: daemon.paths.home });
  return found === undefined ? join(folder, "state") : join(daemon.paths.home, found);
};
type Message = { started?: number; env?: string[]; changes?: { uri: string; type: number }[] };
const logged = () =>
  readFileSync(join(stateFolder(), "log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
const started = () => logged().filter((message) => message.started !== undefined);

describe("language servers", () => {
  it("are one process for all sessions of a tree, without keys, gone after kill -9 of the daemon and its next start [LIB-34]", async () => {
    expect(await servers()).toEqual([]);
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    const question = { path: "birds.py", line: 1, column: 5 };
    const answers = await Promise.all(
      [heron, otter, { client: daemon.user }].map(({ client }) => client.call("position.references", question)),
    );
    for (const { about, items } of answers) {
      expect(about).toMatchObject({ provider: "language-server", confidence: "exact", failed: [] });
      expect(placesOf({ items })).toEqual(["birds.py:1:5", "birds.py:5:12"]);
    }
    expect(await ask("hover", "birds.py:1:5")).toMatchObject({ text: "the word heron" });
    const [server, ...others] = await servers();
    expect(others).toEqual([]);
    expect(server).toMatchObject({
      server: "pyright",
      tree: daemon.repository,
      state: "running",
      questions: 4,
      crashes: 0,
    });
    expect(started()).toHaveLength(1);
    const { env = [] } = started()[0]!;
    expect([env.includes("MY_API_KEY"), env.includes("GOPATH")]).toEqual([false, true]);
    await daemon.kill();
    await daemon.restart(); // in a sandbox the kernel has ended it already
    expect(await groupRuns(server!.pid!)).toBe(false);
  });

  it("run in a sandbox: the tree is read-only, keys are not there; the list says so", async ({ skip }) => {
    skip(noSandbox !== "", noSandbox);
    await ask("hover", "birds.py:1:5");
    expect(await servers()).toMatchObject([{ server: "pyright", sandboxed: true }]);
    expect((await daemon.sylk(["language-servers"])).stdout).toMatch(/sandbox[^]*pyright +running +\d+ +yes/);
    const tried = readFileSync(join(stateFolder(), "tried"), "utf8");
    expect(tried).toMatch(/written-by-server.*Read-only file system/);
    expect(tried).not.toContain("s3cret");
    expect(tried).not.toContain(readFileSync(join(daemon.paths.home, "token"), "utf8").trim());
    expect(existsSync(join(daemon.repository, "written-by-server"))).toBe(false);
  });

  it("see a file that was edited on the disk after they started: the next question tells them of it first", async () => {
    const references = async () => placesOf(await ask<Spots>("references", "birds.py:1:5"));
    expect(await references()).toEqual(["birds.py:1:5", "birds.py:5:12"]);
    writeTree(daemon.repository, { "birds.py": `# above\n${files["birds.py"]}`, "new.py": "heron = 2\n" });
    rmSync(join(daemon.repository, "other.py"));
    const moved = await ask<Spots>("references", "birds.py:2:5");
    expect(placesOf(moved)).toEqual(["birds.py:2:5", "birds.py:6:12"]);
    const changes = logged().flatMap((message) => message.changes ?? []);
    const told = changes.map(({ uri, type }) => `${uri.slice(uri.lastIndexOf("/") + 1)} ${type}`);
    expect(told.sort()).toEqual(["birds.py 2", "new.py 1", "other.py 3"]);
    writeTree(daemon.repository, files);
    rmSync(join(daemon.repository, "new.py"));
    expect(await references()).toEqual(["birds.py:1:5", "birds.py:5:12"]);
  });

  it("that end in the middle of a question are named as failed, and syntax answers [LIB-38]", async () => {
    const found = await ask<Spots>("definition", "birds.py:4:5");
    expect(found.about).toMatchObject({
      tree: daemon.repository,
      revision: expect.stringMatching(/^[0-9a-f]{8} on main with \d uncommitted files$/),
      provider: "syntax",
      confidence: "likely",
      failed: [{ provider: "language-server", reason: expect.stringContaining("the word was crash") }],
    });
    expect(placesOf(found)).toEqual(["birds.py:4:5"]);
    // Within a second it is left alone, later it is started and ends again: both are told.
    const { stderr } = await daemon.sylk(["definition", "birds.py:4:5"]);
    expect(stderr).toMatch(/language-server failed: pyright ended .*the word was crash/);
    expect(await servers()).toMatchObject([{ lastFailure: "exit code 3: the word was crash" }]);
    const doctor = await daemon.sylk(["doctor"]);
    expect(doctor.stdout).toMatch(/warning +languages +pyright .*the word was crash/);
  });

  it("are started by a question about usages only when they are named; then places of another meaning are left out", async () => {
    await until("the server may be started again", async () => (await servers())[0]?.state === "ended");
    const plain = await ask<OutputOf<"code.usages">>("usages", "heron");
    expect(plain.about).toMatchObject({ provider: "syntax", failed: [] });
    expect(plain.items.map(({ path }) => path)).toContain("other.py");
    const sure = await ask<OutputOf<"code.usages">>("usages", "heron", "--provider", "language-server");
    expect(sure.about).toMatchObject({ provider: "language-server", confidence: "exact", failed: [] });
    expect(sure.items).toMatchObject([{ path: "birds.py", line: 5, column: 12, confidence: "exact" }]);
    expect(sure.about.notes).toEqual([expect.stringContaining("the same name and not this meaning")]);
    const again = await ask<OutputOf<"code.usages">>("usages", "heron");
    expect(again.about.provider).toBe("language-server");
  });

  it("that are not installed leave diagnostics without an answer, which is an error and not a clean file", async () => {
    expect(await ask("diagnostics", "birds.py")).toMatchObject({ items: [], about: { provider: "language-server" } });
    const { code, stderr } = await daemon.sylk(["diagnostics", "src/checkout.ts"]);
    expect([code, stderr]).toEqual([7, expect.stringContaining("typescript-language-server is not installed")]);
  });
});

describe("an imported SCIP index", () => {
  const price = "by-hand python shop 1.0.0 price/price.";
  const tree = {
    "lib/price.py": "def price():\n    return 1\n",
    "lib/sum.py": "from lib.price import price\ntotal = price() + price()\n",
  };
  const documents = [
    { path: "lib/price.py", occurrences: [{ range: [0, 4, 9], symbol: price, roles: 1 }] },
    {
      path: "lib/sum.py",
      occurrences: [
        { range: [0, 22, 27], symbol: price },
        { range: [1, 8, 13], symbol: price },
      ],
    },
  ];

  it("answers before a language server that runs for what it covers, and not for what has changed since [LIB-39]", async () => {
    writeTree(daemon.repository, tree);
    expect(await ask("hover", "lib/price.py:1:5")).toMatchObject({ about: { provider: "language-server" } });
    for (const path of Object.keys(tree)) utimesSync(join(daemon.repository, path), 1_000, 1_000);
    writeFileSync(join(daemon.repository, "index.scip"), writeIndex(documents));
    expect(await ask("scip", "import")).toEqual({
      tool: "by-hand 1.0.0",
      documents: 2,
      occurrences: 3,
      leftOut: { count: 0, examples: [] },
    });
    const found = await ask<OutputOf<"code.usages">>("usages", "price");
    expect(found.about).toMatchObject({ provider: "scip", confidence: "exact" });
    // The index has one of the two places in the second line; what it says counts.
    expect(found.items.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
      "lib/sum.py:1:23",
      "lib/sum.py:2:9",
    ]);
    expect(await ask("definition", "lib/sum.py:2:9")).toMatchObject({
      items: [{ path: "lib/price.py", line: 1, column: 5, text: "def price():", definition: true }],
      about: { provider: "scip", confidence: "exact" },
    });
    writeFileSync(join(daemon.repository, "lib/sum.py"), `# above\n${tree["lib/sum.py"]}`);
    const later = await ask<OutputOf<"code.usages">>("usages", "price");
    expect(later.about).toMatchObject({
      provider: "scip",
      confidence: "likely",
      notes: [expect.stringContaining("1 of the files in the imported SCIP index have changed since and are not used")],
    });
    // The imported index had them in lines 1 and 2.
    expect(later.items.map(({ line, column, confidence }) => `${line}:${column} ${confidence}`)).toEqual([
      "2:10 possible",
      "3:9 possible",
    ]);
    expect(await ask("scip", "list")).toMatchObject({ items: [{ source: "index.scip", documents: 2, stale: 1 }] });
    const moved = await ask<Spots>("references", "lib/sum.py:3:9");
    expect(moved.about.provider).toBe("language-server");
    expect(moved.about.notes).toContainEqual(expect.stringContaining("scip: lib/sum.py has changed since"));
  });

  it("that is not one is refused with the way out", async () => {
    const { code, stderr } = await daemon.sylk(["scip", "import", "README.md"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is not a SCIP index")]);
    const missing = await daemon.sylk(["scip", "import", "gone.scip"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("scip-typescript writes it")]);
  });
});
