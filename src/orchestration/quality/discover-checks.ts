/**
 * How a project is checked, said by the project itself or by the user, never by the model: from the base commit's own
 * files, so that an edit cannot change what it is judged by.
 *
 *   the user's for this run > checks.* of .sylk/config.yaml at the base commit > the user's own settings
 *     > scripts of package.json > targets of the Makefile > the tools that the project configures or depends on
 *
 * A command of the repository's settings needs no consent: like a script of package.json it runs in the sandbox of runs.
 */
import { findChecks, type ToolCheck } from "../../knowledge/toolchains/index.ts";
import { readSettingsText } from "../../platform/config/index.ts";

export type CheckCommand = {
  readonly argv: readonly [string, ...string[]];
  readonly source: string;
};
export type ProjectChecks = {
  readonly tests: CheckCommand | undefined;
  readonly inspection: CheckCommand | undefined;
  /** Why the project's settings cannot be read. Then no command is chosen: another one would not be the project's. */
  readonly problem?: string;
};

type Ports = {
  readonly baseFile: (path: string) => Promise<string | undefined>;
  /** Names of the files beside them: those of one folder. */
  readonly baseNames: () => Promise<readonly string[]>;
  /** Where the commands will run. */
  readonly tree: string;
  readonly userCommands: {
    readonly test?: readonly string[] | undefined;
    readonly lint?: readonly string[] | undefined;
  };
  /** Of the user's own settings, for the shell; empty where they name none. */
  readonly ownSettings?: { readonly test: string; readonly lint: string };
};

const inspectionScripts = ["lint", "typecheck", "type-check", "check-types"];
/** What `npm init` writes: a script that only fails is no test command. */
const placeholder = /no test specified/;

export async function discoverChecks({
  baseFile,
  baseNames,
  tree,
  userCommands,
  ownSettings,
}: Ports): Promise<ProjectChecks> {
  const settings = await projectSettings(await baseFile(settingsFile));
  if ("problem" in settings) return { tests: undefined, inspection: undefined, problem: settings.problem };
  const set = (kind: "test" | "lint"): CheckCommand | undefined =>
    fromUser(userCommands[kind]) ??
    forShell(settings[kind], `checks.${kind} of ${settingsFile} at the base commit`) ??
    forShell(ownSettings?.[kind], `checks.${kind} of your own settings`);
  const scripts = packageScripts(await baseFile("package.json"));
  const fromScripts = (names: readonly string[]): CheckCommand | undefined => {
    const name = names.find((candidate) => scripts[candidate] !== undefined && !placeholder.test(scripts[candidate]));
    return name === undefined
      ? undefined
      : { argv: ["npm", "run", "--silent", name], source: `script "${name}" of package.json at the base commit` };
  };
  const tests = set("test") ?? fromScripts(["test"]);
  const inspection = set("lint") ?? fromScripts(inspectionScripts);
  if (tests !== undefined && inspection !== undefined) return { tests, inspection };
  const found = await findChecks({ names: await baseNames(), read: baseFile, tree });
  return { tests: tests ?? byTool(found.tests), inspection: inspection ?? byTool(found.inspection) };
}

function byTool(found: ToolCheck | undefined): CheckCommand | undefined {
  return found === undefined ? undefined : { argv: found.argv, source: `${found.knownFrom} at the base commit` };
}

const settingsFile = ".sylk/config.yaml";

async function projectSettings(
  text: string | undefined,
): Promise<{ readonly test: string; readonly lint: string } | { readonly problem: string }> {
  if (text === undefined) return { test: "", lint: "" };
  const { values, problems } = await readSettingsText(text, settingsFile, "project");
  if (problems[0] !== undefined) return { problem: `${problems[0].where} at the base commit: ${problems[0].message}` };
  const of = (key: "checks.test" | "checks.lint"): string => (values.get(key)?.value as string | undefined) ?? "";
  return { test: of("checks.test"), lint: of("checks.lint") };
}

function forShell(line: string | undefined, source: string): CheckCommand | undefined {
  return line === undefined || line.trim() === "" ? undefined : { argv: ["sh", "-c", line], source };
}

function fromUser(argv: readonly string[] | undefined): CheckCommand | undefined {
  const [program, ...rest] = argv ?? [];
  return program === undefined ? undefined : { argv: [program, ...rest], source: "given by the user" };
}

function packageScripts(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const scripts: unknown = (JSON.parse(text ?? "{}") as { scripts?: unknown }).scripts;
    const entries = Object.entries((scripts ?? {}) as Record<string, unknown>);
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {}; // a package.json that is no JSON names no command
  }
}
