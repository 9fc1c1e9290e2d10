/** Two versions of the program on one machine: copies of the build that differ in nothing but what they say they are. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot, startProcess, type SylkProcess, type SylkRun } from "../flows/run-sylk.ts";
import type { ScratchHome } from "../flows/scratch-home.ts";
import { within } from "../flows/until.ts";

type Terms = { readonly version: string; readonly protocol?: number };
type Options = { readonly env?: Readonly<Record<string, string>>; readonly input?: "pipe" | "ignore" };

export type VersionedSylk = {
  readonly version: string;
  readonly main: string;
  start(args: readonly string[], options?: Options): SylkProcess;
  run(args: readonly string[], options?: Options): Promise<SylkRun>;
};

/** Fails when the build does not say its version and protocol where this looks for them. */
export function makeVersion(home: ScratchHome, { version, protocol = 1 }: Terms): VersionedSylk {
  const folder = join(home.root, `sylk-${version}-${protocol}`);
  mkdirSync(folder);
  cpSync(join(repositoryRoot, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(repositoryRoot, "package.json"), join(folder, "package.json"));
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  const chunks = join(folder, "dist", "chunks");
  const patched = readdirSync(chunks).filter((name) => patch(join(chunks, name), version, protocol));
  if (patched.length === 0) throw new Error("no chunk of the build carries its version");
  const main = join(folder, "dist", "main.mjs");
  const start: VersionedSylk["start"] = (args, { env = {}, input = "ignore" } = {}) =>
    startProcess(process.execPath, [main, ...args], {
      env: { ...home.env, ...env },
      cwd: home.repository,
      input,
    });
  return {
    version,
    main,
    start,
    run: (args, options) =>
      within(`"sylk ${args.join(" ")}" of ${version} ends`, start(args, options).ended, { withinMs: 45_000 }),
  };
}

function patch(file: string, version: string, protocol: number): boolean {
  const text = readFileSync(file, "utf8");
  if (!/^ {2}version: "0\.\d+\.\d+",$/m.test(text) || !/^var protocol = 1;$/m.test(text)) return false;
  writeFileSync(
    file,
    text
      .replace(/^ {2}version: "0\.\d+\.\d+",$/m, `  version: "${version}",`)
      .replace(/^var protocol = 1;$/m, `var protocol = ${protocol};`),
  );
  return true;
}
