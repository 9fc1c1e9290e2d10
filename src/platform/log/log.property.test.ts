import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryLog } from "./testkit.ts";

const secretPart = fc.string({
  unit: fc.constantFrom(..."ABCDEFGHJKLMNPQRSTUVWXYZ0123456789".split("")),
  minLength: 24,
  maxLength: 40,
});
const token = fc.record({ kind: fc.constantFrom("usr", "agt", "hk"), secret: secretPart });

/** Puts the secret somewhere in a random structure: as a value, inside text, as a name, in an error, under a secret name. */
const hidden = ({ kind, secret }: { kind: string; secret: string }): fc.Arbitrary<unknown> => {
  const full = `sylk_${kind}_${secret}`;
  const text = fc
    .tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }))
    .map(([before, after]) => `${before}${full} ${after}`);
  const carrier = fc.oneof(
    text,
    text.map((message) => new Error(message, { cause: new Error(message) })),
    fc.constant(`Authorization: Bearer ${secret}`),
    fc
      .constantFrom("token", "Authorization", "PASSWORD", "secret", "apiKey", "api_key")
      .map((name) => ({ [name]: secret })),
    fc.constantFrom("token", "password").map((name) => new Map([[name, [secret]]])),
    fc.constant({ [full]: 1 }),
    fc.constant({ toJSON: () => ({ url: `http://h/?token=${secret}` }) }),
    fc.nat(9_000).map((length) => `${"x".repeat(length)} ${full}`),
  );
  return fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      carrier,
      fc.array(fc.oneof(tie("node"), fc.jsonValue()), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 8 }), tie("node"), { maxKeys: 4 }),
      tie("node").map((inner) => new Set([inner])),
    ),
  })).node;
};

it("lets no token and no secret reach the output, wherever it hides", () => {
  fc.assert(
    fc.property(
      token.chain((secret) => fc.tuple(fc.constant(secret.secret), hidden(secret))),
      ([secret, value]) => {
        const { log, raw } = memoryLog();
        log.child({ context: value }).warn("x", { value });
        log.error("y", () => ({ error: new Error("outer", { cause: value }) }));
        expect(raw.length).toBe(2);
        for (const line of raw) expect(line).not.toContain(secret.slice(0, 12));
      },
    ),
    { numRuns: 300 },
  );
});

it("writes one parsable line for any fields at all", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withObjectString: true,
  });
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), anything), (event, fields) => {
      const { log, raw, lines } = memoryLog();
      log.info(event, fields);
      expect(lines()[0]).toMatchObject({ at: 1000, level: "info" });
      expect(raw[0]).not.toContain("\n");
    }),
    { numRuns: 200 },
  );
});
