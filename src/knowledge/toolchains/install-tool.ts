/**
 * Installs and removes a tool, after a person said so.
 *
 *   allowed here? -> plan -> dry run: shown
 *                         -> files kept -> command -> program there and answering? -> done
 *                                                  -> else: removed again, files restored byte for byte, error
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError, type Installation, type InputOf } from "../../contract/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { findPrograms, type FoundProgram, type Programs } from "./find-programs.ts";
import { type InstallPlan, planInstallation } from "./plan-installation.ts";
import type { ToolRegistry } from "./registry.ts";
import { repositoryAround, scanFolder } from "./scan-project.ts";
import type { ToolDefinition } from "./tool-definition.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type InstallPorts = {
  readonly registry: ToolRegistry;
  readonly env: Env;
  /** Of the project's settings; off unless the user turned it on. */
  readonly mode: (tree: string) => Promise<"off" | "ask">;
  readonly command: (request: {
    readonly argv: readonly [string, ...string[]];
    readonly cwd: string;
    readonly timeoutMs: number;
  }) => Promise<{ readonly end: string; readonly exitCode: number | undefined; readonly output: string }>;
  /** What was known of the folder is old now. */
  readonly changed: (path: string) => void;
};
type Wanted = Omit<InputOf<"tool.install">, "path"> & { readonly path: string };
export type ToolInstaller = {
  install(wanted: Wanted): Promise<Installation>;
  /** Refuses where installing is off. */
  refuseOff(path: string): Promise<void>;
  uninstall(wanted: Wanted): Promise<Installation>;
  isInstalled(tool: string, path: string): boolean;
  /** What the tool says of itself; undefined where it does not say. */
  getVersion(tool: string, path: string): Promise<string | undefined>;
};

const installMs = 10 * 60_000;
const versionMs = 20_000;

export function createToolInstaller(ports: InstallPorts): ToolInstaller {
  const { registry, env } = ports;
  const inOrder = createKeyedQueue();
  const programsIn = (path: string): Programs => findPrograms(path, repositoryAround(path), withToolFolders(env));
  const foundIn = (tool: ToolDefinition, path: string): FoundProgram | undefined => {
    const found = programsIn(path).find(tool);
    // A program of the machine does not make a dependency of the project unnecessary.
    return tool.ecosystem === "npm" || tool.ecosystem === "python" ? (found?.isLocal ? found : undefined) : found;
  };
  async function versionOf(found: FoundProgram | undefined, path: string): Promise<string | undefined> {
    if (found === undefined) return undefined;
    const { exitCode, output } = await ports.command({
      argv: [found.path, "--version"],
      cwd: path,
      timeoutMs: versionMs,
    });
    return exitCode === 0 ? (/\d+(?:\.\d+)+[\w.+-]*/.exec(output)?.[0] ?? found.version) : undefined;
  }
  const isInstalled: ToolInstaller["isInstalled"] = (name, path) => {
    const tool = registry.find(name);
    return tool !== undefined && foundIn(tool, path) !== undefined;
  };
  const getVersion: ToolInstaller["getVersion"] = async (name, path) => {
    const tool = registry.find(name);
    return tool === undefined ? undefined : versionOf(foundIn(tool, path), path);
  };
  async function carryOut(
    action: "install" | "uninstall",
    { tool: name, path, dryRun }: Wanted,
  ): Promise<Installation> {
    const scan = await scanFolder(path, { registry, env });
    const plan = planInstallation(name, { registry, scan, onPath: programsIn(path).onPath });
    const before = foundIn(plan.tool, path);
    const command = [...plan[action]];
    const needed = isInstalled(name, path) === (action === "uninstall");
    const about = {
      tool: name,
      path,
      dryRun,
      command,
      files: plan.files.filter((file) => scan.place.paths.has(file)),
    };
    if (dryRun || !needed) return { ...about, changed: false, ...stateOf(before, before?.version) };
    await refuseOff(path);
    const after = await (action === "install" ? installNow(plan, path) : uninstallNow(plan, path));
    ports.changed(path);
    return { ...about, changed: true, ...stateOf(after, await getVersion(name, path)) };
  }
  async function refuseOff(path: string): Promise<void> {
    if ((await ports.mode(repositoryAround(path))) !== "off") return;
    throw new DomainError(
      "tool.install-off",
      "Installing tools is off in this project; turn it on: sylk config set tools.install ask (in the project's own file it counts after sylk config trust)",
      { details: { needed: "tools.install: ask" } },
    );
  }
  async function installNow(plan: InstallPlan, path: string): Promise<FoundProgram> {
    const kept = await keep(plan.files, path);
    const result = await ports.command({ argv: plan.install, cwd: path, timeoutMs: installMs });
    const isDone = result.end === "exited" && result.exitCode === 0;
    const found = isDone ? foundIn(plan.tool, path) : undefined;
    if (found !== undefined && (await versionOf(found, path)) !== undefined) return found;
    if (isDone) await ports.command({ argv: plan.uninstall, cwd: path, timeoutMs: installMs });
    await restore(kept, path);
    ports.changed(path);
    throw failed(plan, isDone ? whyUnverified(found) : lastLines(result), "its manifests and lock files are as before");
  }
  async function uninstallNow(plan: InstallPlan, path: string): Promise<undefined> {
    const kept = await keep(plan.files, path);
    const result = await ports.command({ argv: plan.uninstall, cwd: path, timeoutMs: installMs });
    if (result.end === "exited" && result.exitCode === 0 && foundIn(plan.tool, path) === undefined) return undefined;
    await restore(kept, path);
    throw failed(plan, lastLines(result), "its manifests and lock files are as before");
  }
  return {
    install: (wanted) => inOrder([wanted.path], () => carryOut("install", wanted)),
    uninstall: (wanted) => inOrder([wanted.path], () => carryOut("uninstall", wanted)),
    refuseOff,
    isInstalled,
    getVersion,
  };
}

function stateOf(found: FoundProgram | undefined, version: string | undefined) {
  return {
    installed: found !== undefined,
    ...(version === undefined ? {} : { version }),
    ...(found === undefined ? {} : { program: found.path }),
  };
}

/** Where `go install` and `cargo install` put programs, whether or not a shell looks there. */
function withToolFolders(env: Env): Env {
  const { HOME, GOBIN, PATH = "" } = env;
  const folders = [GOBIN, ...(HOME === undefined ? [] : [join(HOME, "go", "bin"), join(HOME, ".cargo", "bin")])];
  return { ...env, PATH: [PATH, ...folders.filter((folder) => folder !== undefined)].join(":") };
}

type Kept = ReadonlyMap<string, Buffer | undefined>;

async function keep(files: readonly string[], path: string): Promise<Kept> {
  const contents = files.map(async (file) => [file, await contentOf(join(path, file))] as const);
  return new Map(await Promise.all(contents));
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
}

async function restore(kept: Kept, path: string): Promise<void> {
  for (const [file, content] of kept) {
    const place = join(path, file);
    if (content === undefined) await rm(place, { force: true });
    else if ((await contentOf(place))?.equals(content) !== true) await writeFile(place, content);
  }
}

function whyUnverified(found: FoundProgram | undefined): string {
  return found === undefined ? "its program is not there" : `${found.path} --version fails`;
}

function lastLines({ output }: { readonly output: string }): string {
  return output.trim().split("\n").slice(-5).join("\n");
}

function failed({ tool, install }: InstallPlan, why: string, state: string): DomainError {
  return new DomainError("tool.install-failed", `${install.join(" ")} did not work; ${state}. It said: ${why}`, {
    details: { tool: tool.name, command: [...install], reason: why },
  });
}
