/** Whatever the bytes are: an import, or a clear refusal. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { decodeDocument, decodeMetadata, decodeSymbol } from "./decode-document.ts";
import { ScipRefused } from "./read-fields.ts";
import { createScipIndexes } from "./scip-provider.ts";
import { writeIndex } from "./testkit.ts";

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const document = fc.record({
  path: name.map((one) => `${one}.ts`),
  occurrences: fc.array(
    fc.record({
      range: fc.tuple(fc.nat(3), fc.nat(9), fc.nat(9)),
      symbol: name,
      roles: fc.nat(70),
      typed: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
  symbols: fc.array(fc.record({ symbol: name, text: fc.string() }), { maxLength: 3 }),
});
const spoilt = fc
  .tuple(fc.array(document, { maxLength: 4 }), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), fc.nat())
  .map(([documents, changes, cut]) => {
    const bytes = writeIndex(documents);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
  });

it("every message is decoded or refused", () => {
  const decode = [decodeDocument, decodeMetadata, decodeSymbol] as const;
  fc.assert(
    fc.property(fc.oneof(spoilt, fc.uint8Array({ maxLength: 200 })), fc.nat(2), (bytes, which) => {
      try {
        decode[which]!(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(ScipRefused);
      }
    }),
    { numRuns: 2_000 },
  );
});

it("what was written is what is read", () => {
  fc.assert(
    fc.property(document, (written) => {
      const whole = writeIndex([written]);
      const body = whole.subarray(whole.length - lengthOf(written));
      const read = decodeDocument(body);
      expect(read.path).toBe(written.path);
      expect(read.symbols).toEqual(written.symbols.map(({ symbol, text }) => ({ symbol, text })));
      expect(read.occurrences).toEqual(
        written.occurrences.map(({ range: [line, column, end], symbol, roles }) => ({
          range: [line, column, line, end],
          symbol,
          isDefinition: roles % 2 === 1,
        })),
      );
    }),
  );
});

it("every file is imported or refused, and questions keep working", async () => {
  using folder = scratchFolder();
  const tree = join(folder.path, "tree");
  mkdirSync(tree);
  writeFileSync(join(tree, "a.ts"), "one two\nthree\n");
  const indexes = createScipIndexes({ folder: folder.path, now: () => 0, repositoryOf: async () => "r" });
  const file = join(tree, "index.scip");
  await fc.assert(
    fc.asyncProperty(spoilt, async (bytes) => {
      writeFileSync(file, bytes);
      await indexes.import(file, tree).catch((error: unknown) => expect(error).toBeInstanceOf(ScipRefused));
      const { state } = await indexes.references({ tree, path: "a.ts", line: 1, column: 1 });
      expect(["answered", "not-covered"]).toContain(state);
    }),
    { numRuns: 200 },
  );
  indexes.close();
});

function lengthOf(written: Parameters<typeof writeIndex>[0][number]): number {
  const empty = writeIndex([]).length;
  const all = writeIndex([written]).length - empty;
  return all - (all - 2 < 128 ? 2 : 3);
}
