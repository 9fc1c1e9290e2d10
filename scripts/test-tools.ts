/**
 * `npm run test:tools`: real linters, formatters, type checkers and test frameworks, called as `sylk tools` says.
 *
 *   pinned versions -> npm install into .cache/real-tools (needs the registry, once)
 *     -> for each tool a good and a bad project -> sylk tools -> the command it names -> docs/real-tools.md
 *
 * A tool that the machine does not have is reported as absent, never as passed.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { DiscoveredTool, ToolReport } from "../src/contract/index.ts";
import { pinnedTools, type Trial, trials } from "../test/real-tools/trials.ts";

const root = join(import.meta.dirname, "..");
const installed = join(root, ".cache", "real-tools");
type Outcome = "as expected" | "absent" | `failed: ${string}`;
type Row = { readonly trial: Trial; readonly found: DiscoveredTool | undefined; readonly outcome: Outcome };

installPinned();
const scratch = mkdtempSync(join(tmpdir(), "real-tools-"));
const env = {
  PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
  HOME: process.env.HOME ?? scratch,
  SYLK_HOME: join(scratch, "home"),
  NO_COLOR: "1",
};
try {
  const rows = trials.map(tryTool);
  writeFileSync(join(root, "docs", "real-tools.md"), page(rows));
  if (rows.some(({ outcome }) => outcome.startsWith("failed"))) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

function installPinned(): void {
  mkdirSync(installed, { recursive: true });
  const manifest = `${JSON.stringify({ private: true, dependencies: pinnedTools }, undefined, 2)}\n`;
  const isThere = Object.entries(pinnedTools).every(([name, version]) => versionIn(name) === version);
  if (isThere) return;
  writeFileSync(join(installed, "package.json"), manifest);
  console.log("[setup] installing the pinned tools");
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: installed, stdio: "inherit" });
  if (status !== 0) throw new Error("the registry did not give the tools");
}

function versionIn(name: string): string | undefined {
  try {
    const text = readFileSync(join(installed, "node_modules", name, "package.json"), "utf8");
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return undefined; // not installed yet
  }
}

function tryTool(trial: Trial, index: number): Row {
  const good = makeProject(`${index}-good`, { ...trial.files, ...trial.good });
  const bad = makeProject(`${index}-bad`, { ...trial.files, ...trial.bad });
  const found = toolIn(good, trial);
  const outcome = found === undefined ? "failed: sylk tools does not find it" : judge(trial, found, good, bad);
  console.log(`${trial.tool} (${trial.category}): ${outcome}`);
  return { trial, found, outcome };
}

function judge(
  { says, ...trial }: Trial,
  { installed: isThere, run }: DiscoveredTool,
  good: string,
  bad: string,
): Outcome {
  if (!isThere) return "absent";
  const accepted = call(run, good);
  if (accepted.status !== 0)
    return `failed: exit ${accepted.status} for the good project: ${accepted.output.slice(-300)}`;
  const refused = call(toolIn(bad, trial)?.run ?? run, bad);
  if (refused.status === 0) return "failed: exit 0 for the bad project";
  return says.test(refused.output) ? "as expected" : `failed: it says ${refused.output.slice(-300)}`;
}

function makeProject(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if ("package.json" in files) symlinkSync(join(installed, "node_modules"), join(folder, "node_modules"));
  if ("pyproject.toml" in files) makeEnvironment(folder);
  return folder;
}

/** Only ruff is there: its rules come by npm. */
function makeEnvironment(folder: string): void {
  const programs = join(folder, ".venv", "bin");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(folder, ".venv", "pyvenv.cfg"), "");
  symlinkSync(join(installed, "node_modules"), join(folder, ".venv", "node_modules"));
  copyFileSync(join(root, "test", "real-tools", "ruff.cjs"), join(programs, "ruff"));
  chmodSync(join(programs, "ruff"), 0o755);
}

function toolIn(folder: string, { tool, category }: Pick<Trial, "tool" | "category">): DiscoveredTool | undefined {
  const main = join(root, "dist", "main.mjs");
  const asked = spawnSync(process.execPath, [main, "tools", folder, "--category", category, "--json"], {
    env,
    encoding: "utf8",
  });
  if (asked.status !== 0) throw new Error(`sylk tools ${folder}: ${asked.stderr}`);
  const { answers } = JSON.parse(asked.stdout) as ToolReport;
  return answers[0]?.tools.find(({ name }) => name === tool);
}

function call(
  [program, ...args]: readonly string[],
  cwd: string,
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program!, args, { cwd, env, encoding: "utf8", timeout: 120_000 });
  return { status, output: `${stdout}${stderr}` };
}

function page(rows: readonly Row[]): string {
  const lines = rows.map(({ trial, found, outcome }) => {
    const cells = [
      trial.tool,
      trial.category.replace("_", " "),
      found?.version ?? "-",
      `\`${found?.run.join(" ") ?? "-"}\``,
    ];
    const result = outcome.split("\n")[0]!;
    return `| ${[...cells, result].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const count = (prefix: string): number => rows.filter(({ outcome }) => outcome.startsWith(prefix)).length;
  return `# Real tools

<!-- Made by "npm run test:tools". -->

Each tool is called with the command that \`sylk tools\` names, in a project that it must accept and in one with a mistake that it must
find and name: ${count("as expected")} as expected, ${count("failed")} failed, ${count("absent")} absent on the machine that made this page.

| tool | category | version | command | result |
|---|---|---|---|---|
${lines.join("\n")}

Tools of npm are pinned in \`test/real-tools/trials.ts\`. The program \`ruff\` is a script of ours over ruff's own build for WebAssembly:
its rules are tried, its command line is not. Tools that the machine does not have are absent here, and count as neither passed nor failed.
`;
}
