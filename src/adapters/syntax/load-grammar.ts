/**
 * The parser's and the grammars' WebAssembly: compressed in a build, as npm installed them in a checkout.
 *
 *   checkout: node_modules/tree-sitter-wasm/out/…      build: dist/files/adapters/syntax/grammars/<grammar>.wasm.br
 *
 * Unpacking costs 1 to 14 ms, so no unpacked copy is kept on disk.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import { Language, Parser } from "web-tree-sitter";
import { shippedFile } from "../../platform/shipped-files.ts";

/** The types of Node name its modules and not how one is made. */
const { Module } = Reflect.get(globalThis, "WebAssembly") as {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
};

/** Once for each thread. */
export async function startParser(): Promise<void> {
  await Parser.init({ wasmBinary: readWasm("runtime", "web-tree-sitter/web-tree-sitter.wasm").buffer });
}

export function loadGrammar(grammar: string): Language {
  const bytes = readWasm(grammar, `tree-sitter-wasm/${grammar}/tree-sitter-${grammar}.wasm`);
  return Language.loadSync(new Module(bytes));
}

function readWasm(name: string, source: string): Uint8Array<ArrayBuffer> {
  const built = shippedFile(`adapters/syntax/grammars/${name}.wasm.br`);
  if (existsSync(built)) return new Uint8Array(brotliDecompressSync(readFileSync(built)));
  return new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(source)));
}
