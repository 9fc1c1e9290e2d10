/**
 * Files that people write, mutated: settings, scenarios, the providers' file.
 *
 * What must hold: a result, or an error that names the file (and the line, where the file has one that is wrong).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { InvalidScenario } from "../../src/adapters/models/rehearsal/invalid-scenario.ts";
import { parseScenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { DomainError } from "../../src/contract/index.ts";
import { providersIn } from "../../src/orchestration/models/index.ts";
import { InvalidSettings, resolveSettings } from "../../src/platform/config/index.ts";
import { repositoryRoot } from "../flows/run-sylk.ts";
import { type Figures, newFigures, pairsOf, type Problem } from "./figures.ts";

const settings = `# what the user wants
http:
  port: 7373
  enabled: true
log:
  level: info
reservations:
  ttlMs: 300000
  maxPerAgent: 40
work: { claimTtlMs: 600000 }
`;
const providers = JSON.stringify({
  default: "local",
  providers: [{ name: "local", kind: "openai-compatible", model: "m", baseUrl: "http://127.0.0.1:9/v1" }],
  keys: { local: "k" },
});
const tokens = [
  ": ",
  "\n",
  "  ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "&a ",
  "*a",
  '"',
  "'",
  "|\n",
  "---\n",
  "%YAML 1.1\n",
  "!!int ",
  "!!binary ",
  "? ",
  "#",
  "\t",
  "~",
  "<<: *a\n",
  "\r",
  "__proto__: 1\n",
  "\u0000",
  "é😀",
  ".nan",
  "1e999",
  "0x7fffffffffffffffff",
  "null",
  "\ufeff",
  "\ud800",
];

type FileKind = {
  readonly name: string;
  readonly valid: string;
  /** Resolves for a result; the error otherwise. */
  read(bytes: Buffer, folder: string): Promise<unknown>;
  isNamed(error: unknown, folder: string): boolean;
};

const kinds: readonly FileKind[] = [
  {
    name: "settings",
    valid: settings,
    read: (bytes, folder) => resolveSettings({ userFile: put(folder, "config.yaml", bytes), env: {}, flags: {} }),
    isNamed: (error, folder) =>
      error instanceof InvalidSettings &&
      error.problems.length > 0 &&
      error.problems.every(({ where }) => where === join(folder, "config.yaml") || /config\.yaml:\d+/.test(where)),
  },
  {
    name: "scenario",
    valid: readFileSync(join(repositoryRoot, "samples", "scenarios", "discounts.yaml"), "utf8"),
    read: (bytes) => parseScenario(bytes, "play.yaml"),
    isNamed: (error) =>
      error instanceof InvalidScenario &&
      error.problems.length > 0 &&
      error.problems.every(({ where }) => /^play\.yaml(:\d+:\d+)?$/.test(where)),
  },
  {
    name: "providers",
    valid: providers,
    read: (bytes, folder) => providersIn(put(folder, "providers.json", bytes), { env: {} }).list(),
    isNamed: (error, folder) =>
      error instanceof DomainError &&
      error.family === "invalid" &&
      error.message.includes(join(folder, "providers.json")),
  },
];

export async function fuzzFiles(
  folder: string,
  { cases, seed }: { readonly cases: number; readonly seed: number },
): Promise<Figures> {
  const figures = newFigures();
  for (const { kind, bytes } of fc.sample(fileOf(), { numRuns: cases, seed })) {
    const problem = await tryFile(kind, bytes, folder, figures);
    figures.cases++;
    if (problem !== undefined)
      figures.problems.push({
        kind: problem,
        where: kind.name,
        input: JSON.stringify(bytes.toString("latin1")).slice(0, 600),
      });
  }
  return figures;
}

async function tryFile(
  kind: FileKind,
  bytes: Buffer,
  folder: string,
  figures: Figures,
): Promise<Problem["kind"] | undefined> {
  try {
    await kind.read(bytes, folder);
    pairsOf(figures, kind.name).accepted++;
    return undefined;
  } catch (error) {
    pairsOf(figures, kind.name).refused++;
    if (kind.isNamed(error, folder)) return undefined;
    return error instanceof DomainError || error instanceof InvalidSettings ? "unnamed" : "crash";
  }
}

type Edit = { readonly how: string; readonly from: number; readonly length: number; readonly token: string };

const edit: fc.Arbitrary<Edit> = fc.record({
  how: fc.constantFrom("cut", "double", "insert", "flip", "swap"),
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 80 }),
  token: fc.constantFrom(...tokens),
});

function fileOf(): fc.Arbitrary<{ readonly kind: FileKind; readonly bytes: Buffer }> {
  const edited = (kind: FileKind): fc.Arbitrary<Buffer> =>
    fc.array(edit, { minLength: 0, maxLength: 4 }).map((edits) => edits.reduce(apply, Buffer.from(kind.valid)));
  const garbage = fc.oneof(
    fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((words) => Buffer.from(words.join(""))),
    fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
  );
  const ofKind = kinds.map((kind) =>
    fc.record({
      kind: fc.constant(kind),
      bytes: fc.oneof({ weight: 4, arbitrary: edited(kind) }, { weight: 1, arbitrary: garbage }),
    }),
  );
  return fc.oneof(...ofKind);
}

function apply(bytes: Buffer, { how, from, length, token }: Edit): Buffer {
  const at = Math.floor(from * bytes.length);
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
  if (how === "cut") return Buffer.concat([before, after]);
  if (how === "double") return Buffer.concat([before, piece, piece, after]);
  if (how === "insert") return Buffer.concat([before, Buffer.from(token), piece, after]);
  if (how === "flip") return Buffer.concat([before, piece.map((byte) => byte ^ 0x80), after]);
  return Buffer.concat([before, after, piece]);
}

function put(folder: string, name: string, bytes: Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}
