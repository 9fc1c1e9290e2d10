/**
 * The parser's and the grammars' WebAssembly, compressed, where src/adapters/syntax/load-grammar.ts of a built package
 * looks for them, and the notices of their authors.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { grammarNotices } from "./grammar-notices.ts";

/** 9 packs all in about a second; 11 saves 4 % more and needs a minute. */
const quality = 9;
const folder = "files/adapters/syntax/grammars";

export type Grammars = { readonly files: ReadonlyMap<string, Uint8Array>; readonly notices: readonly string[] };

const table = "src/adapters/syntax/languages.ts";

/** Sources without that table need no grammars. */
export async function collectGrammars(root: string): Promise<Grammars> {
  if (!existsSync(join(root, table))) return { files: new Map(), notices: [] };
  const { languages } = await import("../../src/adapters/syntax/languages.ts");
  const names = [...new Set(Array.from(languages.values(), ({ grammar }) => grammar))].toSorted();
  const { resolve } = createRequire(import.meta.url);
  const files = new Map([[`${folder}/runtime.wasm.br`, compress(resolve("web-tree-sitter/web-tree-sitter.wasm"))]]);
  for (const name of names)
    files.set(`${folder}/${name}.wasm.br`, compress(resolve(`tree-sitter-wasm/${name}/tree-sitter-${name}.wasm`)));
  const mit = readText(root, "tree-sitter-wasm/LICENSE");
  const apache = readText(root, "typescript/LICENSE.txt");
  const builder = `tree-sitter-wasm (builds of the grammars)\nLicence: MIT\n\n${mit}\n`;
  return { files, notices: [builder, ...names.map(describe)] };

  function describe(name: string): string {
    const notice = grammarNotices[name];
    if (notice === undefined) throw new Error(`grammar ${name} has no notice: add its row to grammar-notices.ts`);
    const terms =
      notice.license === "MIT" ? mit.replace(/^Copyright.*$/m, notice.copyright) : `${notice.copyright}\n\n${apache}`;
    return `tree-sitter grammar ${name}\nLicence: ${notice.license}\n\n${terms}\n`;
  }
}

function compress(file: string): Uint8Array {
  const bytes = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

function readText(root: string, path: string): string {
  return readFileSync(join(root, "node_modules", path), "utf8").trim();
}
