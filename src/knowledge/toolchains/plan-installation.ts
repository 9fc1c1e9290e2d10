/**
 * What an installation would do: which command, which files it may change, where the program will be. Only package managers
 * that keep to the project, and those of Go and Rust, are used; anything else is left to the person.
 */
import { DomainError } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import { installCommand, uninstallCommand } from "./build-command.ts";
import type { ToolRegistry } from "./registry.ts";
import type { ProjectScan } from "./scan-project.ts";
import type { Ecosystem, ToolDefinition } from "./tool-definition.ts";

type Argv = readonly [string, ...string[]];
export type InstallPlan = {
  readonly tool: ToolDefinition;
  readonly install: Argv;
  readonly uninstall: Argv;
  /** Relative; also those that do not exist yet. */
  readonly files: readonly string[];
};

const manifests: Readonly<Partial<Record<Ecosystem, readonly string[]>>> = {
  npm: [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
  ],
  python: ["pyproject.toml", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile", "Pipfile.lock"],
  go: ["go.mod", "go.sum"],
  cargo: ["Cargo.toml", "Cargo.lock"],
};

type Terms = {
  readonly registry: ToolRegistry;
  readonly scan: ProjectScan;
  /** On PATH, outside of the project. */
  readonly onPath: (program: string) => string | undefined;
};

export function planInstallation(name: string, { registry, scan, onPath }: Terms): InstallPlan {
  const tool = registry.find(name);
  if (tool === undefined) {
    const near = suggestion(
      name,
      registry.tools.map((one) => one.name),
    );
    throw new DomainError("tool.not-found", `Sylk knows no tool "${name}"${near}`, { details: { tool: name } });
  }
  const { place } = scan;
  const install = installCommand(tool, place);
  const uninstall = uninstallCommand(tool, place);
  const files = manifests[tool.ecosystem];
  const by = (why: string) => notInstallable(tool, install, why);
  if (files === undefined || uninstall === undefined) throw by("its package manager is not one that Sylk uses");
  if (tool.ecosystem === "npm" && !place.paths.has("package.json")) throw by("there is no package.json here");
  if (install.includes("pip") && place.environment === undefined)
    throw by(
      "there is no virtual environment here, and it would change the machine's Python; make one: python3 -m venv .venv",
    );
  const isOwn = install[0].includes("/");
  if (!isOwn && onPath(install[0]) === undefined) throw by(`${install[0]} is not installed`);
  return { tool, install, uninstall, files };
}

function notInstallable({ name }: ToolDefinition, install: Argv, why: string): DomainError {
  const [first] = install;
  const way = /^https?:/.test(first) ? `see ${first}` : `the command would be: ${install.join(" ")}`;
  return new DomainError("tool.not-installable", `Sylk does not install ${name} here: ${why} (${way})`, {
    details: { tool: name, command: [...install], reason: why },
  });
}
