/** Tools of a project on the command line: one table; without a daemon it is found in this process. */
import { resolve } from "node:path";
import type { DiscoveredTool, ToolAnswer, ToolOption, ToolReport } from "../../../contract/index.ts";
import { loadOperation, parseInput } from "../../../contract/calling.ts";
import type { SylkClient } from "../../client/index.ts";
import type { CommandContext } from "../command.ts";
import { findDaemon } from "../daemon-link.ts";
import { entryPoints } from "../entry-points.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";

export const list = operationCommand("tool.discover", {
  example: "sylk tools --category linter",
  details: "Reads files and executes nothing of the project. Starts no daemon: without one it looks by itself.",
  fields: ["path"],
  adjust: (input, { cwd }) => ({ ...input, path: resolve(cwd, typeof input.path === "string" ? input.path : ".") }),
  connect: daemonOrHere,
  print,
});

async function daemonOrHere(context: CommandContext): Promise<SylkClient> {
  if ((await findDaemon(context.paths)) === "answers") return context.connect();
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

function yesOrNo(installed: boolean, out: Output): string {
  return installed ? "yes" : out.paint("yellow", "no");
}
