/**
 * How a project is checked, said by the project itself or by the user, never by the model: from the base commit's own
 * files, so that an edit cannot change what it is judged by.
 */
export type CheckCommand = { readonly argv: readonly [string, ...string[]]; readonly source: string };
export type ProjectChecks = { readonly tests: CheckCommand | undefined; readonly inspection: CheckCommand | undefined };

type Ports = {
  readonly baseFile: (path: string) => Promise<string | undefined>;
  readonly userCommands: {
    readonly test?: readonly string[] | undefined;
    readonly lint?: readonly string[] | undefined;
  };
};

const inspectionScripts = ["lint", "typecheck", "type-check", "check-types"];
/** What `npm init` writes: a script that only fails is no test command. */
const placeholder = /no test specified/;

export async function discoverChecks({ baseFile, userCommands }: Ports): Promise<ProjectChecks> {
  const scripts = packageScripts(await baseFile("package.json"));
  const fromScripts = (names: readonly string[]): CheckCommand | undefined => {
    const name = names.find((candidate) => scripts[candidate] !== undefined && !placeholder.test(scripts[candidate]));
    return name === undefined
      ? undefined
      : { argv: ["npm", "run", "--silent", name], source: `script "${name}" of package.json at the base commit` };
  };
  return {
    tests: fromUser(userCommands.test) ?? fromScripts(["test"]) ?? (await goOrCargo(baseFile, "test")),
    inspection: fromUser(userCommands.lint) ?? fromScripts(inspectionScripts) ?? (await goOrCargo(baseFile, "vet")),
  };
}

function fromUser(argv: readonly string[] | undefined): CheckCommand | undefined {
  const [program, ...rest] = argv ?? [];
  return program === undefined ? undefined : { argv: [program, ...rest], source: "given by the user" };
}

async function goOrCargo(baseFile: Ports["baseFile"], what: "test" | "vet"): Promise<CheckCommand | undefined> {
  if ((await baseFile("go.mod")) !== undefined)
    return { argv: ["go", what, "./..."], source: "go.mod at the base commit" };
  if (what === "test" && (await baseFile("Cargo.toml")) !== undefined)
    return { argv: ["cargo", "test"], source: "Cargo.toml at the base commit" };
  return undefined;
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
