/** Installing a tool: shown first, done after a person's yes, verified, and undone where it does not work. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Installation, ToolReport } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { openRegistry } from "./scratch-registry.ts";
import { shopEnv } from "./scratch-shop.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let registry: Awaited<ReturnType<typeof openRegistry>>;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: { ...shopEnv, SYLK_TOOLS_INSTALL: "ask" } });
  registry = await openRegistry(daemon.root, {
    oxlint: "#!/bin/sh\necho oxlint 1.2.3\n",
    prettier: "#!/bin/sh\nexit 3\n",
  });
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
});

let made = 0;
/** Its manifest and lock file are written unlike npm writes them: restored means byte for byte. */
function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(daemon.root, `install-${++made}`);
  writeTree(folder, {
    "package.json": '{"name":"shop",   "version":"1.0.0"}',
    "package-lock.json": '{"name":"shop","version":"1.0.0","lockfileVersion":3,"packages":{}}',
    "src/a.ts": "export const a = 1;\n",
    ".npmrc": `registry=${registry.url}\naudit=false\nfund=false\nupdate-notifier=false\ncache=${daemon.root}/npm-cache\n`,
    ...files,
  });
  return folder;
}
const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
const sylk = (folder: string, ...args: readonly string[]) => daemon.sylk(["tools", ...args], { cwd: folder });

it("shows the command, changes nothing without a yes, installs by the project's manager, verifies and removes [TOOL-90, TOOL-58, TOOL-61]", async () => {
  const folder = project();
  const before = read(folder, "package.json");
  const dry = await sylk(folder, "install", "oxlint", "--dry-run");
  expect(dry.stdout.split("\n")).toEqual(
    expect.arrayContaining([
      `in ${folder}: npm install --save-dev oxlint`,
      "  may change package.json",
      "Nothing was changed",
    ]),
  );
  const unasked = await sylk(folder, "install", "oxlint");
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
  expect(read(folder, "package.json")).toBe(before);
  const done = jsonOf<Installation>(await sylk(folder, "install", "oxlint", "--yes", "--json"));
  expect(done).toMatchObject({ changed: true, installed: true, version: "1.2.3", dryRun: false });
  expect(JSON.parse(read(folder, "package.json"))).toMatchObject({ devDependencies: { oxlint: "^1.2.3" } });
  const { answers, cached } = jsonOf<ToolReport>(await sylk(folder, "--category", "linter", "--json"));
  expect([cached, answers[0]?.tools[0]]).toMatchObject([false, { name: "oxlint", installed: true, version: "1.2.3" }]);
  expect((await sylk(folder, "install", "oxlint", "--yes")).stdout).toContain("is installed");
  const removed = jsonOf<Installation>(await sylk(folder, "uninstall", "oxlint", "--yes", "--json"));
  expect(removed).toMatchObject({ changed: true, installed: false, command: ["npm", "uninstall", "oxlint"] });
  expect(existsSync(join(folder, "node_modules/.bin/oxlint"))).toBe(false);
}, 120_000);

it("undoes an installation that fails or does not work afterwards, byte for byte [TOOL-62, TOOL-61]", async () => {
  const folder = project();
  const files = ["package.json", "package-lock.json"];
  const before = files.map((file) => read(folder, file));
  const broken = await sylk(folder, "install", "prettier", "--yes");
  expect([broken.code, broken.stderr]).toEqual([7, expect.stringContaining("--version fails")]);
  expect(files.map((file) => read(folder, file))).toEqual(before);
  expect(existsSync(join(folder, "node_modules/.bin/prettier"))).toBe(false);
  const absent = await sylk(folder, "install", "eslint", "--yes");
  expect([absent.code, absent.stderr]).toEqual([7, expect.stringContaining("did not work")]);
  expect(files.map((file) => read(folder, file))).toEqual(before);
}, 120_000);

/** An environment whose python knows how pip installs: it writes the program that it is asked for. */
const pythonFiles = {
  "requirements.txt": "",
  ".venv/pyvenv.cfg": "",
  ".venv/bin/python": `#!/bin/sh
printf '#!/bin/sh\\necho pytest 8.3.3\\n' > "$(dirname "$0")/$4"
chmod +x "$(dirname "$0")/$4"
`,
};

it("installs Python tools into the virtual environment, and none into the machine's Python [TOOL-60]", async () => {
  const folder = project(pythonFiles);
  chmodSync(join(folder, ".venv/bin/python"), 0o755);
  const done = jsonOf<Installation>(await sylk(folder, "install", "pytest", "--yes", "--json"));
  expect(done).toMatchObject({
    command: [".venv/bin/python", "-m", "pip", "install", "pytest"],
    version: "8.3.3",
    program: join(folder, ".venv/bin/pytest"),
  });
  const bare = await sylk(project({ "requirements.txt": "" }), "install", "pytest", "--yes");
  expect([bare.code, bare.stderr]).toEqual([4, expect.stringContaining("python3 -m venv .venv")]);
}, 120_000);

it("asks on a terminal: no changes nothing, yes installs", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  const folder = project(pythonFiles);
  chmodSync(join(folder, ".venv/bin/python"), 0o755);
  const program = join(folder, ".venv/bin/pytest");
  const answered = async (words: string) => {
    const running = startOnTerminal({ ...daemon, repository: folder }, ["tools", "install", "pytest"], {}, "pipe");
    await until("it asks", () => running.output().includes("Run it? [y/N] "));
    expect([running.output(), existsSync(program)]).toEqual([
      expect.stringContaining(".venv/bin/python -m pip install pytest"),
      false,
    ]);
    running.child.stdin!.write(words);
    const { code, stdout } = await running.ended;
    return [code, stdout];
  };
  for (const no of ["n\n", "\n", "maybe\n"])
    expect(await answered(no)).toEqual([1, expect.stringContaining("Nothing was changed")]);
  expect(existsSync(program)).toBe(false);
  expect(await answered("y\n")).toEqual([0, expect.stringContaining("pytest 8.3.3 is installed")]);
  expect(existsSync(program)).toBe(true);
}, 60_000);

/** A wheel of one program, as pip builds them; `program` is the body of its function. */
const makeWheel = `
import sys, zipfile
place, name, program = sys.argv[1:]
info = f"{name}-8.3.3.dist-info"
with zipfile.ZipFile(f"{place}/{name}-8.3.3-py3-none-any.whl", "w") as wheel:
    wheel.writestr(f"{name}.py", f"def main():\\n    {program}\\n")
    wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 8.3.3\\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{info}/entry_points.txt", f"[console_scripts]\\n{name} = {name}:main\\n")
    wheel.writestr(f"{info}/RECORD", "")
`;
const hasPython = spawnSync("python3", ["-m", "venv", "--help"]).status === 0;

it("installs by real pip into a real environment, verifies, and undoes what does not work", async ({ skip }) => {
  skip(!hasPython, "python3 with venv is absent");
  const folder = project({ "requirements.txt": "" });
  const python = (...args: readonly string[]) => execFileSync("python3", args, { cwd: folder, stdio: "pipe" });
  python("-m", "venv", ".venv");
  writeTree(folder, {
    ".venv/pip.conf": `[global]\nno-index = true\nfind-links = ${folder}/wheels\n`,
    "wheels/.keep": "",
  });
  python("-c", makeWheel, join(folder, "wheels"), "pytest", "print('pytest 8.3.3')");
  python("-c", makeWheel, join(folder, "wheels"), "mypy", "raise SystemExit(3)");
  const done = jsonOf<Installation>(await sylk(folder, "install", "pytest", "--yes", "--json"));
  expect(done).toMatchObject({
    changed: true,
    installed: true,
    version: "8.3.3",
    program: join(folder, ".venv/bin/pytest"),
  });
  const broken = await sylk(folder, "install", "mypy", "--yes");
  expect([broken.code, broken.stderr]).toEqual([7, expect.stringContaining("--version fails")]);
  expect(existsSync(join(folder, ".venv/bin/mypy"))).toBe(false);
  expect((await sylk(folder, "install", "black", "--yes")).code, "pip does not find it").toBe(7);
  const removed = jsonOf<Installation>(await sylk(folder, "uninstall", "pytest", "--yes", "--json"));
  expect([removed.installed, existsSync(join(folder, ".venv/bin/pytest"))]).toEqual([false, false]);
}, 120_000);

it("takes the package manager of the project, and names the command even where the manager is absent [TOOL-59]", async () => {
  const python = { "pyproject.toml": '[project]\nname = "x"\n' };
  const npm = { "package-lock.json": "{}" };
  for (const [files, tool, command] of [
    [npm, "oxlint", "npm install --save-dev oxlint"],
    [{ "yarn.lock": "" }, "oxlint", "yarn add --dev oxlint"],
    [{ "pnpm-lock.yaml": "" }, "oxlint", "pnpm add --save-dev oxlint"],
    [{ ...python, "uv.lock": "" }, "ruff", "uv add --dev ruff"],
    [{ ...python, "poetry.lock": "" }, "ruff", "poetry add --group dev ruff"],
    [pythonFiles, "ruff", ".venv/bin/python -m pip install ruff"],
    [{ "go.mod": "module x\n" }, "staticcheck", "go install honnef.co/go/tools/cmd/staticcheck@latest"],
    [{ "Cargo.toml": "[package]\n" }, "cargo-nextest", "cargo install cargo-nextest"],
  ] as const) {
    const folder = join(daemon.root, `manager-${++made}`);
    writeTree(folder, { "package.json": "{}", ...files });
    const { stdout, stderr } = await sylk(folder, "install", tool, "--dry-run");
    expect(stdout + stderr).toContain(command);
  }
}, 60_000);

it("is off by default; a repository's own file turns it on only with the user's consent", async () => {
  await using other = await openScratchDaemon({ env: shopEnv });
  const { repository } = other;
  writeTree(repository, pythonFiles);
  chmodSync(join(repository, ".venv/bin/python"), 0o755);
  const installing = async () => {
    const { code, stderr } = await other.sylk(["tools", "install", "pytest", "--yes"]);
    return [code, stderr];
  };
  const refused = [8, expect.stringContaining("sylk config set tools.install ask")];
  expect(await installing()).toEqual(refused);
  writeTree(repository, { ".sylk/config.yaml": "tools:\n  install: ask\n" });
  expect(await installing()).toEqual(refused);
  await other.sylk(["config", "trust"]);
  expect(await installing()).toEqual([0, ""]);
}, 60_000);

it("asked for by an agent, waits among the approvals and runs only after a person's yes", async () => {
  await using other = await openScratchDaemon({ env: { ...shopEnv, SYLK_TOOLS_INSTALL: "ask" } });
  const { repository } = other;
  writeTree(repository, pythonFiles);
  chmodSync(join(repository, ".venv/bin/python"), 0o755);
  const { client } = await other.register("heron");
  const ask = (tool: string) => client.call("tool.install", { tool, dryRun: false });
  const isThere = (tool: string) => existsSync(join(repository, ".venv/bin", tool));
  const asked = await ask("pytest");
  expect([asked, isThere("pytest")]).toMatchObject([{ changed: false, installed: false }, false]);
  expect((await ask("pytest")).waits, "the same question waits once").toBe(asked.waits);
  const shown = (await other.sylk(["approvals"])).stdout;
  expect(shown).toContain(`install  Install pytest?  ${asked.waits}`);
  expect(shown).toContain(`in ${repository}: .venv/bin/python -m pip install pytest`);
  expect(shown).toContain("asked by heron");
  await expect(client.call("approval.decide", { id: asked.waits!, decision: "approve" })).rejects.toMatchObject({
    code: "caller.denied",
  });
  expect((await other.sylk(["answer", asked.waits!, "yes"])).code).toBe(2);
  expect(isThere("pytest")).toBe(false);
  const yes = await other.sylk(["approve", asked.waits!]);
  expect([yes.code, yes.stdout, isThere("pytest")]).toEqual([0, expect.stringContaining("install approved"), true]);
  expect(await ask("pytest")).toMatchObject({ changed: false, installed: true });
  const second = await ask("ruff");
  expect((await other.sylk(["reject", second.waits!, "--reason", "not now"])).code).toBe(0);
  await expect(ask("ruff")).rejects.toMatchObject({
    code: "caller.denied",
    message: expect.stringContaining("not now"),
  });
  expect([isThere("ruff"), (await other.sylk(["approvals"])).stdout]).toEqual([false, "No decisions are waiting\n"]);
  expect((await other.sylk(["approve", second.waits!])).code, "decided").toBe(3);
  const acts = (await other.sylk(["audit", "list", "--json"])).stdout;
  expect(acts).toContain('"approval.approved"');
}, 60_000);

it("asked for by an agent, is refused where installing is off, and waits on where it fails", async () => {
  await using off = await openScratchDaemon({ env: shopEnv });
  writeTree(off.repository, pythonFiles);
  const { client } = await off.register("heron");
  await expect(client.call("tool.install", { tool: "ruff", dryRun: false })).rejects.toMatchObject({
    code: "tool.install-off",
  });
  expect(await client.call("tool.install", { tool: "ruff" })).toMatchObject({ dryRun: true, changed: false });
  const failing = { ...pythonFiles, ".venv/bin/python": "#!/bin/sh\nexit 3\n" };
  await using broken = await openScratchDaemon({ env: { ...shopEnv, SYLK_TOOLS_INSTALL: "ask" } });
  writeTree(broken.repository, failing);
  chmodSync(join(broken.repository, ".venv/bin/python"), 0o755);
  const otter = await broken.register("otter");
  const { waits } = await otter.client.call("tool.install", { tool: "ruff", dryRun: false });
  const failed = await broken.sylk(["approve", waits!]);
  expect([failed.code, failed.stderr]).toEqual([7, expect.stringContaining("did not work")]);
  expect((await broken.sylk(["approvals"])).stdout).toContain("Install ruff?");
}, 60_000);
