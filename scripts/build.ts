/**
 * Builds dist/: `node scripts/build.ts [--if-stale] [--types] [--clean]`.
 *
 *   src, dashboard -> bundles in memory -> shipped files and licences collected -> dist replaced file by file -> stamp
 *
 * A build that fails leaves dist as it was. `--types` adds the declarations of the published entries (slower),
 * `--clean` removes every file of earlier builds (for packing).
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isFresh, readInputsHash, writeStamp } from "./build/build-stamp.ts";

const root = join(import.meta.dirname, "..");
const { values: flags } = parseArgs({
  options: { "if-stale": { type: "boolean" }, types: { type: "boolean" }, clean: { type: "boolean" } },
});

try {
  if (!(flags["if-stale"] && isFresh(root))) await build();
} catch (error) {
  // esbuild has printed its errors already, with the lines they are on.
  const reason = error instanceof Error && !("errors" in error) ? `: ${error.message}` : "";
  console.error(`sylk: the build failed, dist is as before${reason}`);
  process.exitCode = 1;
}

async function build(): Promise<void> {
  // Loaded here: the question "is it stale?" is asked at every start and must stay cheap.
  const { bundle } = await import("./build/bundle.ts");
  const { bundleDashboard } = await import("./build/bundle-dashboard.ts");
  const { collectFiles } = await import("./build/collect-files.ts");
  const { collectGrammars } = await import("./build/collect-grammars.ts");
  const { collectLicenses } = await import("./build/collect-licenses.ts");
  const { emitTypes } = await import("./build/emit-types.ts");
  const { publishDist } = await import("./build/publish-dist.ts");

  const startedAt = performance.now();
  const inputsHash = readInputsHash(root);
  const { files, bundledPaths } = await bundle(root);
  const dashboard = await bundleDashboard(root);
  for (const [path, content] of dashboard.files) files.set(path, content);
  for (const [path, content] of collectFiles(root)) files.set(path, content);
  const grammars = await collectGrammars(root);
  for (const [path, content] of grammars.files) files.set(path, content);
  files.set(
    "THIRD-PARTY-LICENSES.txt",
    collectLicenses(root, [...bundledPaths, ...dashboard.bundledPaths], grammars.notices),
  );
  if (flags.types) emitTypes(root);
  publishDist(join(root, "dist"), files, { removeOld: flags.clean === true });
  writeStamp(root, { inputsHash, outputs: [...files.keys()] });

  const kilobytes = Math.round([...files.values()].reduce((sum, content) => sum + content.length, 0) / 1024);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`built dist: ${files.size} files, ${kilobytes} KB${flags.types ? ", types" : ""}, ${seconds} s`);
}
