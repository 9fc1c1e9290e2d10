/**
 * The parser's and the grammars' WebAssembly: compressed in a build, as npm installed them in a checkout.
 *
 *   checkout: node_modules/tree-sitter-wasm/out/…      build: dist/files/adapters/syntax/grammars/<grammar>.wasm.br
 *
 * Unpacking costs 1 to 14 ms, so no unpacked copy is kept on disk.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { brotliDecompressSync } from "node:zlib";
import { Language, Parser } from "web-tree-sitter";
import { shippedFile } from "../../platform/shipped-files.ts";
import { largestFunction } from "./largest-function.ts";

type Memory = { readonly buffer: { readonly byteLength: number } };
/** The types of Node name these and not how one is made. */
const { Memory, Module } = Reflect.get(globalThis, "WebAssembly") as {
  readonly Memory: new (pages: { initial: number; maximum: number }) => Memory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
};
/** Of 64 KB: it begins with 32 MB and never has more than 1 GB. */
const pages = { initial: 512, maximum: 16_384 };

let started: Promise<Memory> | undefined;

/** Once for each thread: the parser of a thread has one memory, which only grows. */
export function startParser(): Promise<Memory> {
  return (started ??= start());
}

async function start(): Promise<Memory> {
  const wasmMemory = new Memory(pages);
  const wasmBinary = readWasm("runtime", "web-tree-sitter/web-tree-sitter.wasm").buffer;
  await Parser.init({ wasmBinary, wasmMemory } as Parameters<typeof Parser.init>[0]);
  return wasmMemory;
}

/**
 * Above this, optimizing a function costs more than it gives: V8 took half a gigabyte for the lexer of Bash (160 KB),
 * which ran no faster afterwards. Swift, Elixir, Kotlin, C++ and OCaml have such a lexer, too.
 */
const mostOptimized = 64 * 1024;
const noFunction = 0x7fff_ffff;
const everyFunction = -1;

export function loadGrammar(grammar: string): { readonly grammar: Language; readonly isOptimized: boolean } {
  const bytes = readWasm(grammar, `tree-sitter-wasm/${grammar}/tree-sitter-${grammar}.wasm`);
  return { grammar: Language.loadSync(new Module(bytes)), isOptimized: largestFunction(bytes) <= mostOptimized };
}

/**
 * V8 asks for the one function it may optimize whenever one has run often. The option is the process's: another thread
 * that asks in this moment is refused once, and asks again.
 */
export function withoutOptimizing<T>(work: () => T): T {
  setFlagsFromString(`--wasm-tier-up-filter=${noFunction}`);
  try {
    return work();
  } finally {
    setFlagsFromString(`--wasm-tier-up-filter=${everyFunction}`);
  }
}

function readWasm(name: string, source: string): Uint8Array<ArrayBuffer> {
  const built = shippedFile(`adapters/syntax/grammars/${name}.wasm.br`);
  if (existsSync(built)) return new Uint8Array(brotliDecompressSync(readFileSync(built)));
  return new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(source)));
}
