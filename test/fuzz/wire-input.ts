/** An input as a request over HTTP, its bytes perhaps spoilt on the way. */
import fc from "fast-check";
import { operations } from "../../src/contract/index.ts";
import type { DocumentedOperation } from "./documented-operations.ts";
import type { FuzzWorld, WireAnswer } from "./fuzz-world.ts";

export type WireTerms = {
  /** What happens to the body's bytes, at a place between 0 and 1. */
  readonly bytes: "kept" | "cut" | "flipped" | "torn" | "twice" | "zero";
  readonly place: number;
  readonly headers: Readonly<Record<string, string>>;
};

const strangeHeaders: readonly Readonly<Record<string, string>>[] = [
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-encoding": "gzip" },
  { "idempotency-key": "x".repeat(300) },
  { "sylk-project": "%zz" },
  { "sylk-agent": "nobody" },
  { "last-event-id": "-1", accept: "text/event-stream" },
  { authorization: "Bearer nobody" },
];

export const wireTerms: fc.Arbitrary<WireTerms> = fc.record({
  bytes: fc.oneof(
    { weight: 6, arbitrary: fc.constant("kept" as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        "cut" as const,
        "flipped" as const,
        "torn" as const,
        "twice" as const,
        "zero" as const,
      ),
    },
  ),
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  headers: fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.constantFrom(...strangeHeaders) },
  ),
});

type Sent = {
  readonly operation: DocumentedOperation;
  readonly input: unknown;
  readonly by: "agent" | "user";
  readonly wire: WireTerms;
};

export function sendInput(world: FuzzWorld, { operation, input, by, wire: terms }: Sent): Promise<WireAnswer> {
  const { kind } = operations[operation.name];
  const fields: Record<string, unknown> = typeof input === "object" && input !== null ? { ...input } : { input };
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(fields[name]));
  const rest = Object.entries(fields).filter(([name]) => !inPath.includes(name));
  const headers = {
    authorization: `Bearer ${world.tokens[by]}`,
    ...(by === "user" ? { "sylk-project": encodeURIComponent(world.repository) } : {}),
    ...(kind === "change" ? { "content-type": "application/json" } : {}),
    ...terms.headers,
  };
  if (kind === "read")
    return world.send(operation.method, rest.length === 0 ? path : `${path}?${queryOf(rest)}`, headers);
  const body = Array.isArray(input) || typeof input !== "object" ? input : Object.fromEntries(rest);
  return world.send(operation.method, path, headers, spoilBytes(Buffer.from(JSON.stringify(body) ?? ""), terms));
}

/** Long ones would be refused by the parser of HTTP, which has tests of its own. */
function encoded(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return encodeURIComponent(text.slice(0, 1_000).toWellFormed());
}

function queryOf(fields: readonly (readonly [string, unknown])[]): string {
  const pairs = fields.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).slice(0, 5).map((one) => [name, one] as const),
  );
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
}

function spoilBytes(bytes: Buffer, { bytes: how, place }: WireTerms): Buffer {
  const at = Math.floor(place * Math.max(0, bytes.length - 1));
  if (how === "cut") return bytes.subarray(0, at);
  if (how === "twice") return Buffer.concat([bytes, bytes]);
  const insert = (...more: readonly number[]): Buffer =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)]);
  if (how === "torn") return insert(0xed, 0xa0, 0x80);
  if (how === "zero") return insert(0);
  if (how === "flipped" && bytes.length > 0) bytes[at] = bytes[at]! ^ 0x10;
  return bytes;
}
