/** Which files a command really loads: asked of Node's own module loader by a hook that only writes down. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { ScratchHome } from "./scratch-home.ts";
import { writeTree } from "./scratch-home.ts";

const recorder = `
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      if (url.startsWith("file:")) appendFileSync(process.env.LOADED_FILES, url + "\\n");
      return next(url, context);
    },
  });
`;

export type Loaded = {
  /** Paths of the loaded files. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Libraries with at least one source file in them; the bundler writes each file's path above its code. */
  readonly libraries: ReadonlySet<string>;
};

export async function filesLoadedBy(home: ScratchHome, args: readonly string[]): Promise<Loaded> {
  writeTree(home.root, { "recorder.mjs": recorder, "loaded.txt": "" });
  const list = join(home.root, "loaded.txt");
  const nodeOptions = ["--import", join(home.root, "recorder.mjs")];
  const { code, stderr } = await home.sylk(args, { nodeOptions, env: { LOADED_FILES: list } });
  if (code !== 0) throw new Error(`sylk ${args.join(" ")} ended with ${code}: ${stderr}`);
  const urls = readFileSync(list, "utf8").trim().split("\n");
  const files = [...new Set(urls)].map((url) => fileURLToPath(url)).filter((path) => !path.endsWith("recorder.mjs"));
  const texts = files.map((file) => readFileSync(file, "utf8"));
  return {
    files,
    bytes: texts.reduce((sum, text) => sum + text.length, 0),
    libraries: new Set([...texts.flatMap(librariesIn), ...files.flatMap(libraryOfPath)]),
  };
}

function librariesIn(text: string): readonly string[] {
  return [...text.matchAll(/^\s*\/\/ (?:\S*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name]) => name!);
}

function libraryOfPath(path: string): readonly string[] {
  const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return name === undefined ? [] : [name];
}
