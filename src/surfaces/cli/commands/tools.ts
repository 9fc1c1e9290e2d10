/** Tools of a project on the command line: one table; without a daemon it is found in this process. */
import { resolve } from "node:path";
import type { DiscoveredTool, Installation, ToolAnswer, ToolOption, ToolReport } from "../../../contract/index.ts";
import { loadOperation, parseInput } from "../../../contract/calling.ts";
import type { SylkClient } from "../../client/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { confirm } from "../confirm.ts";
import { findDaemon } from "../daemon-link.ts";
import { entryPoints } from "../entry-points.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";

export const list = operationCommand("tool.discover", {
  example: "sylk tools --category linter",
  details:
    "Reads files and executes nothing of the project. Starts no daemon: without one it looks by itself, unless you name a session.",
  fields: ["path"],
  adjust: (input, { cwd }) => ({ ...input, path: resolve(cwd, typeof input.path === "string" ? input.path : ".") }),
  connect: daemonOrHere,
  print,
});

async function daemonOrHere(context: CommandContext): Promise<SylkClient> {
  const isOfSession = context.flags.session !== undefined;
  if (isOfSession || (await findDaemon(context.paths)) === "answers") return context.connect();
  const operation = await loadOperation("tool.discover");
  const call = async (_: string, given: unknown) => entryPoints().tools(parseInput(operation, given), context);
  return { call } as SylkClient;
}

function print(report: ToolReport, out: Output): void {
  const { answers, languages, packageManagers, unknownLanguages } = report;
  if (languages.length > 0)
    out.line(
      `languages: ${languages
        .slice(0, 6)
        .map(({ name, files }) => `${name} (${files})`)
        .join(", ")}`,
    );
  for (const { name, language, installed, rationale } of packageManagers)
    out.line(`${language} packages: ${name}, ${installed ? "installed" : "not installed"} (${rationale})`);
  out.table(
    ["category", "tool", "version", "installed", "command", "confidence", "known from"],
    answers.flatMap((answer) => rowsOf(answer, out)),
    { spare: ["version", "known from"] },
  );
  for (const language of unknownLanguages) out.note(`"${language}" is not a language that Sylk knows`);
  for (const note of new Set(answers.flatMap(({ notes }) => notes))) out.note(note);
  for (const answer of answers) if (answer.requiresUser) printChoice(answer, out);
}

function rowsOf({ category, tools, options, requiresUser }: ToolAnswer, out: Output): readonly (readonly string[])[] {
  const name = category.replace("_", " ");
  const found = tools.map((tool) => [name, ...cellsOf(tool, out)]);
  const proposed = requiresUser ? options.filter(({ recommended }) => recommended) : [];
  const rows = [...found, ...proposed.map((option) => [name, ...proposalOf(option, out)])];
  return rows.length > 0 ? rows : [[name, "-", "-", "-", "-", "-", "-"]];
}

function cellsOf(tool: DiscoveredTool, out: Output): readonly string[] {
  const { name, version, declared, installed, run, confidence, rationale } = tool;
  return [name, version ?? declared ?? "-", yesOrNo(installed, out), run.join(" "), confidence, rationale];
}

function proposalOf({ tool, language, installed, run }: ToolOption, out: Output): readonly string[] {
  return [
    tool,
    "-",
    yesOrNo(installed, out),
    run.join(" "),
    "-",
    `recommended for ${language}; the project names none`,
  ];
}

/** What there is to choose from, and the command that stores the choice. */
function printChoice({ category, options }: ToolAnswer, out: Output): void {
  const names = [...new Set(options.map(({ tool }) => tool))];
  if (names.length > 1) out.note(`${category}: ${names.join(", ")}; choose: sylk session set ${category} ${names[0]}`);
}

function yesOrNo(installed: boolean, out: Output): string {
  return installed ? "yes" : out.paint("yellow", "no");
}

const installFlags = {
  "dry-run": { describe: "only show the command and the files that it may change" },
  yes: { describe: "do it without asking", short: "y" },
  path: { describe: "folder of the project (default: here)", value: "folder" },
};
const toolArgument = { name: "tool", describe: 'Name as "sylk tools" shows it', required: true };

export const install: WrittenCommand = {
  operation: "tool.install",
  example: "sylk tools install eslint --dry-run",
  details:
    "Shows the command first and asks. Needs tools.install: ask in the project's settings. A tool that does not work afterwards is removed again, and manifests and lock files are restored.",
  arguments: [toolArgument],
  flags: installFlags,
  run: (context) => change("tool.install", context),
};

export const uninstall: WrittenCommand = {
  operation: "tool.uninstall",
  example: "sylk tools uninstall eslint --dry-run",
  arguments: [toolArgument],
  flags: installFlags,
  run: (context) => change("tool.uninstall", context),
};

async function change(
  name: "tool.install" | "tool.uninstall",
  { args, flags, json, out, cwd, connect }: CommandContext,
): Promise<number | void> {
  const client = await connect();
  const path = resolve(cwd, typeof flags.path === "string" ? flags.path : ".");
  const input = { tool: String(args[0]), path };
  const isSure = flags.yes === true && flags["dry-run"] !== true;
  const planned = isSure ? undefined : await client.call(name, { ...input, dryRun: true });
  if (planned !== undefined) {
    if (json) return out.json(planned);
    printPlan(planned, out);
    const isDone = planned.installed === (name === "tool.install");
    if (isDone) return out.line(`${planned.tool} is ${planned.installed ? "installed" : "not installed"} already`);
    if (flags["dry-run"] === true) return out.line("Nothing was changed");
    if (!(await confirm("Run it?"))) {
      out.line("Nothing was changed");
      return 1;
    }
  }
  const work = client.call(name, { ...input, dryRun: false });
  const done = printable(await out.progress("waiting for the package manager", work));
  if (json) return out.json(done);
  const { tool, installed, version, program } = done;
  out.line(installed ? `${tool} ${version ?? ""} is installed: ${program}` : `${tool} is removed`);
}

function printPlan({ path, command, files }: Installation, out: Output): void {
  out.line(`in ${path}: ${command.join(" ")}`);
  for (const file of files) out.line(`  may change ${file}`);
}
