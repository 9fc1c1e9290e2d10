/**
 * Bundles the published entries with esbuild, in memory, so that nothing is written before everything succeeded.
 */
import { relative, sep } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { plainHttp, usedFilesOnly, zodInEnglish } from "./lean-imports.ts";

const ENTRIES = {
  main: "src/main.ts",
  client: "src/surfaces/client/index.ts",
  contract: "src/contract/index.ts",
  engine: "src/app/library/engine.ts",
};

/**
 * Built as one CommonJS file each: started at every turn of a client, they would spend most of their time on loading modules.
 * What such a program imports only when it needs it is a further file, under its own name.
 */
const SMALL_ENTRIES = {
  statusline: "src/statusline.ts",
  "line-without-daemon": "src/surfaces/statusline/line-without-daemon.ts",
};

/** Bundled CommonJS expects these three; ES modules do not have them. */
const COMMONJS_NAMES = `
import { createRequire as __createRequire } from "node:module";
import { fileURLToPath as __fileURLToPath } from "node:url";
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL(".", import.meta.url));
`.trim();

/** `files`: path inside dist to content. `bundledPaths`: every source file that went in, relative to the root. */
export type Bundle = { files: Map<string, Uint8Array>; bundledPaths: string[] };

export async function bundle(root: string): Promise<Bundle> {
  const common = {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    platform: "node",
    target: "node22",
    charset: "utf8", // otherwise each letter of the tokenizer's table that is not ASCII takes six bytes
    legalComments: "none", // collected in THIRD-PARTY-LICENSES.txt
    metafile: true,
    write: false,
    logLevel: "warning",
  } as const satisfies BuildOptions;
  const large = await build({
    ...common,
    entryPoints: ENTRIES,
    splitting: true,
    format: "esm",
    // The hash lets a running daemon import its old chunks while a new build lies beside them.
    chunkNames: "chunks/[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    banner: { js: COMMONJS_NAMES },
    plugins: [plainHttp, zodInEnglish],
    external: ["better-sqlite3"], // native; installed as a dependency
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" }, // its other form loads parts in a way no bundler sees
  });
  const small = await build({
    ...common,
    entryPoints: SMALL_ENTRIES,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    plugins: [usedFilesOnly],
    supported: { "dynamic-import": false }, // `require` does it without the loader of modules
  });
  const inDist = (path: string): string => relative(`${root}/dist`, path).split(sep).join("/");
  return {
    files: new Map([...large.outputFiles, ...small.outputFiles].map((file) => [inDist(file.path), file.contents])),
    bundledPaths: [large, small]
      .flatMap(({ metafile }) => Object.values(metafile.outputs))
      .flatMap((output) => Object.keys(output.inputs).filter((path) => !path.startsWith(`${plainHttp.name}:`))),
  };
}
