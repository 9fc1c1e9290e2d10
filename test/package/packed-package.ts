/** What `npm publish` would send, packed from a copy of the repository and installed by a user into an empty project. */
import { mkdirSync, mkdtempSync, realpathSync, globSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repository } from "../tooling/scratch-folder.ts";
import { copyRepository, run, strangersEnvironment, type Run } from "./copied-repository.ts";

export type PackedFile = { readonly path: string; readonly size: number };
export type InstalledPackage = Disposable & {
  readonly files: readonly PackedFile[];
  readonly unpackedBytes: number;
  readonly packedBytes: number;
  /** Folder of the project that it is installed in. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  sylk(args: readonly string[]): Promise<Run>;
};
type PackReport = {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly PackedFile[];
};

export async function installPackage(): Promise<InstalledPackage> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "sylk-package-")));
  const machine = strangersEnvironment(join(scratch, "home"), [dirname(process.execPath)]);
  // Packed in a copy: packing cleans dist, which a daemon started from this checkout may be running from.
  const copy = join(scratch, "copy");
  copyRepository(copy);
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  const pack = await run("npm", ["pack", "--json", "--pack-destination", scratch], { cwd: copy, env: machine });
  if (pack.status !== 0) throw new Error(`npm pack ended with ${pack.status}: ${pack.output}`);
  const [tarball = "no tarball"] = globSync("sylk-*.tgz", { cwd: scratch });

  const project = join(scratch, "project");
  mkdirSync(project);
  const install = await run("npm", ["install", join(scratch, tarball), "--omit=dev"], { cwd: project, env: machine });
  if (install.status !== 0) throw new Error(`npm install ended with ${install.status}: ${install.output}`);
  const { files, size, unpackedSize } = reportIn(pack.output);
  const env = {
    ...machine,
    SYLK_HOME: join(scratch, "sylk"),
    SYLK_HTTP_PORT: "0",
    // Every command is started here: all but the first find the program compiled.
    NODE_COMPILE_CACHE: join(scratch, "compiled"),
  };
  return {
    files,
    unpackedBytes: unpackedSize,
    packedBytes: size,
    project,
    env,
    sylk: (args) => run(join(project, "node_modules/.bin/sylk"), args, { cwd: project, env }),
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

/** The build that packing starts prints before it. */
function reportIn(output: string): PackReport {
  const start = output.search(/^\[$/m);
  const [report] = JSON.parse(output.slice(start, output.lastIndexOf("]") + 1)) as readonly PackReport[];
  if (report === undefined) throw new Error(`npm pack reported nothing: ${output}`);
  return report;
}
