/** Nothing in the audit can be changed without being found: not one bit of one column, no row more, less or elsewhere. */
import type Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AuditDraft } from "../../contract/index.ts";
import { hashedColumns } from "./chain.ts";
import { plainAct, scratchAudit, type ScratchAudit } from "./testkit.ts";

const text = fc.string({ unit: "binary", maxLength: 12 });
const act: fc.Arbitrary<Partial<AuditDraft>> = fc.record({
  actor: fc.constantFrom(
    { kind: "user" as const },
    { kind: "daemon" as const },
    { kind: "agent" as const, name: "heron" },
  ),
  action: fc.constantFrom("run.merged", "approval.approved", "provider.added"),
  subject: text,
  project: fc.constantFrom(undefined, plainAct.project),
  details: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 3 }),
});
const acts = fc.array(act, { minLength: 1, maxLength: 8 });
const columns = [...hashedColumns, "hash"] as const;
const anywhere = fc.nat(1_000_000);

/** A fresh chain for every run: what was spoilt stays spoilt. */
async function withChain<T>(of: readonly Partial<AuditDraft>[], use: (at: ScratchAudit) => Promise<T>): Promise<T> {
  using at = await scratchAudit();
  await at.act(...of);
  const before = await at.verify();
  expect(before).toMatchObject({ intact: true, entries: of.length, head: "matches" });
  return await use(at);
}

const runs = { numRuns: 25 };
const flip = fc.record({ place: anywhere, column: fc.constantFrom(...columns), bit: anywhere });

it("finds any changed bit in any column of any row, and names the row; changed back, all is well", () =>
  fc.assert(
    fc.asyncProperty(acts, fc.array(flip, { minLength: 20, maxLength: 20 }), (of, flips) =>
      withChain(of, async (at) => {
        for (const { place, column, bit } of flips) {
          const sequence = (place % of.length) + 1;
          let moved: bigint | undefined;
          at.spoil((connection) => (moved = flipBit(connection, { sequence: BigInt(sequence), column, bit })));
          if (moved === undefined) continue;
          const { intact, problem } = await at.verify();
          expect(intact).toBe(false);
          // A row with another number is missed where it stood, or is in the way where it stands now.
          if (column === "sequence") expect(problem!.sequence).toBeLessThanOrEqual(sequence);
          else expect(problem!.sequence).toBe(sequence);
          const back = moved;
          at.spoil((connection) => flipBit(connection, { sequence: back, column, bit }));
          expect((await at.verify()).intact).toBe(true);
        }
      }),
    ),
    runs,
  ));

it("finds a project that was added to a row or taken from it, and a subject that was empty", () =>
  withChain([{ project: undefined, subject: "" }, {}], async (at) => {
    for (const [change, back] of [
      ["project = 'x' WHERE sequence = 1", "project = NULL WHERE sequence = 1"],
      ["subject = 'x' WHERE sequence = 1", "subject = '' WHERE sequence = 1"],
      ["project = NULL WHERE sequence = 2", `project = '${plainAct.project}' WHERE sequence = 2`],
      ["project = '' WHERE sequence = 1", "project = NULL WHERE sequence = 1"],
    ]) {
      at.spoil((connection) => connection.exec(`UPDATE audit SET ${change}`));
      expect((await at.verify()).intact, change).toBe(false);
      at.spoil((connection) => connection.exec(`UPDATE audit SET ${back}`));
      expect((await at.verify()).intact, back).toBe(true);
    }
  }));

it("finds two rows that changed places, and a copy of one row in the place of another", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 2, maxLength: 8 }),
      anywhere,
      anywhere,
      fc.boolean(),
      (of, a, b, both) => {
        const one = (a % of.length) + 1;
        const other = (b % of.length) + 1;
        fc.pre(one !== other);
        return withChain(of, async (at) => {
          at.spoil((connection) => {
            connection.prepare("UPDATE audit SET sequence = -1 WHERE sequence = ?").run(one);
            if (both) connection.prepare("UPDATE audit SET sequence = ? WHERE sequence = ?").run(one, other);
            else
              connection.prepare(`INSERT INTO audit SELECT ?, ${rest} FROM audit WHERE sequence = ?`).run(one, other);
            if (both) connection.prepare("UPDATE audit SET sequence = ? WHERE sequence = -1").run(other);
            else connection.prepare("DELETE FROM audit WHERE sequence = -1").run();
          });
          const { intact, problem } = await at.verify();
          expect([intact, problem!.sequence]).toEqual([false, both ? Math.min(one, other) : one]);
        });
      },
    ),
    runs,
  ));

it("finds rows removed anywhere, also at the end, and rows added by another hand", () =>
  fc.assert(
    fc.asyncProperty(acts, anywhere, fc.nat(7), fc.boolean(), (of, place, more, removes) =>
      withChain(of, async (at) => {
        const first = (place % of.length) + 1;
        const last = Math.min(of.length, first + more);
        at.spoil((connection) => {
          if (removes) connection.prepare("DELETE FROM audit WHERE sequence BETWEEN ? AND ?").run(first, last);
          else
            connection
              .prepare(`INSERT INTO audit SELECT ?, ${rest} FROM audit WHERE sequence = ?`)
              .run(of.length + 1, first);
        });
        const { intact, problem } = await at.verify();
        expect([intact, problem!.sequence]).toEqual([false, removes ? first : of.length + 1]);
      }),
    ),
    runs,
  ));

const rest = columns.filter((column) => column !== "sequence").join(", ");

/** Where the row stands now; undefined where the database refuses, because another row has that number. */
function flipBit(
  connection: Database.Database,
  { sequence, column, bit }: { sequence: bigint; column: (typeof columns)[number]; bit: number },
): bigint | undefined {
  const { type, bytes, number } = connection
    .prepare<[bigint], { type: string; bytes: Buffer | null; number: bigint }>(
      `SELECT typeof(${column}) AS type, CAST(${column} AS BLOB) AS bytes, CAST(${column} AS INTEGER) AS number FROM audit WHERE sequence = ?`,
    )
    .safeIntegers()
    .get(sequence)!;
  const change = (value: unknown, cast = "?"): number =>
    connection.prepare(`UPDATE OR IGNORE audit SET ${column} = ${cast} WHERE sequence = ?`).run(value, sequence)
      .changes;
  if (type === "integer") {
    const flipped = BigInt.asIntN(64, number ^ (1n << BigInt(bit % 64)));
    if (change(flipped) === 0) return undefined;
    return column === "sequence" ? flipped : sequence;
  }
  if (bytes === null || bytes.length === 0) return undefined;
  const flipped = Buffer.from(bytes);
  const at = bit % (bytes.length * 8);
  flipped[at >> 3]! ^= 1 << (at & 7);
  change(flipped, "CAST(? AS TEXT)");
  return sequence;
}
