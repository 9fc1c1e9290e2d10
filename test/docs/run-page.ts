/** Types the examples of one page into a shell in a scratch home and repository, until one does not do what it says. */
import { mkdirSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { repositoryRoot } from "../flows/run-sylk.ts";
import { openScratchHome, type ScratchHome } from "../flows/scratch-home.ts";
import { readExamples } from "./read-examples.ts";
import { openShell } from "./shell.ts";
import { difference, withRealIds, type StandIns } from "./stand-ins.ts";

type Page = { readonly path: string; readonly text: string };

/** Shown as a terminal of 80 columns shows it. */
const beginnersPages: ReadonlySet<string> = new Set(["README.md", "docs/getting-started.md"]);

/** What the first wrong example did, with its place; undefined when all are right. */
export async function runPage({ path, text }: Page): Promise<string | undefined> {
  await using scratch = openScratchHome();
  // Scratch folders have longer paths than a reader's: narrow tables would cut them where the page does not.
  const width = beginnersPages.has(path) ? { COLUMNS: "" } : {};
  const env = { ...sylkOnPath(scratch), TERM: "dumb", ...width };
  const standIns: StandIns = {
    home: scratch.paths.home,
    userHome: scratch.env["HOME"]!,
    user: userInfo().username,
    ids: new Map(),
  };
  // The commands of the README are typed in a checkout.
  await using shell = openShell({ cwd: path === "README.md" ? repositoryRoot : scratch.repository, env });
  const examples = readExamples(text);
  for (const [index, example] of examples.entries()) {
    const { exitCode, output } = await shell.run(withRealIds(example.command, standIns));
    const shown = `${path}:${example.line}: ${example.command}`;
    // A transcript that asks for the exit code states it itself.
    const asked = examples[index + 1]?.command === "echo $?";
    if (!asked && exitCode !== example.exitCode)
      return `${shown}\n  ends with ${exitCode}, not ${example.exitCode}: ${output}`;
    const wrong = example.output === undefined ? undefined : difference(example.output, output, example, standIns);
    if (wrong !== undefined) return `${shown}\n  ${wrong}`;
  }
  return undefined;
}

/** The environment of a shell where `sylk` is this checkout's. */
export function sylkOnPath({ root, env }: ScratchHome): Readonly<Record<string, string>> {
  const tools = join(root, "bin");
  mkdirSync(tools);
  symlinkSync(join(repositoryRoot, "bin", "sylk.cjs"), join(tools, "sylk"));
  return { ...env, PATH: [tools, dirname(process.execPath), env["PATH"] ?? ""].join(delimiter) };
}
