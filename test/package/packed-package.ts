/** What `npm publish` would send, installed by a user into an empty project. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { run, strangersEnvironment, type Run } from "./copied-repository.ts";
import type { PackedPackage } from "./pack-once.ts";

export type InstalledPackage = Disposable & {
  /** Folder of the project that it is installed in. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  sylk(args: readonly string[]): Promise<Run>;
};

export async function installPackage({ tarball }: PackedPackage = inject("packed")): Promise<InstalledPackage> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "sylk-package-")));
  const machine = strangersEnvironment(join(scratch, "home"), [dirname(process.execPath)]);
  const project = join(scratch, "project");
  mkdirSync(project);
  const install = await run("npm", ["install", tarball, "--omit=dev"], { cwd: project, env: machine });
  if (install.status !== 0) throw new Error(`npm install ended with ${install.status}: ${install.output}`);
  const env = {
    ...machine,
    SYLK_HOME: join(scratch, "sylk"),
    SYLK_HTTP_PORT: "0",
    // Every command is started here: all but the first find the program compiled.
    NODE_COMPILE_CACHE: join(scratch, "compiled"),
  };
  return {
    project,
    env,
    sylk: (args) => run(join(project, "node_modules/.bin/sylk"), args, { cwd: project, env }),
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
