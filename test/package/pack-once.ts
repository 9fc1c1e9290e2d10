/** Packs what `npm publish` would send, once for all files of the suite: packing builds everything anew. */
import { globSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { repository } from "../tooling/scratch-folder.ts";
import { copyRepository, run, strangersEnvironment } from "./copied-repository.ts";

export type PackedFile = { readonly path: string; readonly size: number };
export type PackedPackage = {
  readonly tarball: string;
  readonly files: readonly PackedFile[];
  readonly unpackedBytes: number;
  readonly packedBytes: number;
};
type PackReport = {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly PackedFile[];
};

declare module "vitest" {
  interface ProvidedContext {
    packed: PackedPackage;
  }
}

let scratch: string | undefined;

/** Called by vitest, as `teardown` is. */
export async function setup({ provide }: TestProject): Promise<void> {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "sylk-packed-")));
  provide("packed", await packInto(scratch));
}

export async function packInto(folder: string): Promise<PackedPackage> {
  const env = strangersEnvironment(join(folder, "home"), [dirname(process.execPath)]);
  // Packed in a copy: packing cleans dist, which a daemon started from this checkout may be running from.
  const copy = join(folder, "copy");
  copyRepository(copy);
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  const pack = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: copy, env });
  if (pack.status !== 0) throw new Error(`npm pack ended with ${pack.status}: ${pack.output}`);
  rmSync(copy, { recursive: true, force: true });
  const [tarball = "no tarball"] = globSync("sylk-*.tgz", { cwd: folder });
  const { files, size, unpackedSize } = reportIn(pack.output);
  return { tarball: join(folder, tarball), files, packedBytes: size, unpackedBytes: unpackedSize };
}

export function teardown(): void {
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
}

/** The build that packing starts prints before it. */
function reportIn(output: string): PackReport {
  const start = output.search(/^\[$/m);
  const [report] = JSON.parse(output.slice(start, output.lastIndexOf("]") + 1)) as readonly PackReport[];
  if (report === undefined) throw new Error(`npm pack reported nothing: ${output}`);
  return report;
}
