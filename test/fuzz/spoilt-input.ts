/** A valid input -> one with something wrong at one place: its type, its size, its depth, its text, a field too many. */
import fc from "fast-check";
import type { Schema } from "./valid-input.ts";

type Json = unknown;
type Path = readonly (string | number)[];
type Spoiler = (value: Json, schema: Schema | undefined) => fc.Arbitrary<Json>;

const texts = [
  "",
  " ",
  "NaN",
  "Infinity",
  "-0",
  "null",
  "true",
  "[object Object]",
  "../../etc/passwd",
  "..\\..\\windows",
  "/nowhere/at/all",
  "file:///nowhere",
  "a\u0000b",
  "\u0000",
  "\r\nset-cookie: a=b",
  "\u001b[31mred",
  "\u202egnp.exe",
  "e\u0301 \u00e9",
  "\ufeffbom",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦",
  "<script>alert(1)</script>",
  "'; DROP TABLE agents; --",
  "${7*7} {{7*7}} %s %n",
  "{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}{o,p}{q,r}{s,t}",
  "**/**/**/**/**/**/**/**/*a",
  "[!a-\\]]",
  "[",
  "wrk_01jd8q3m7k4x9t2v5b8n1c",
  "agt_zzzzzzzzzzzzzzzzzzzzzz",
];
const numbers = [0, -0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53), 2 ** 63, 1e21, 999_999_999_999];

const anyWrong = fc.oneof(
  fc.constantFrom<Json>(null, true, false, [], {}, [[]], { toString: 1 }, { length: 3 }),
  fc.constantFrom(...numbers),
  fc.constantFrom(...texts),
  fc.jsonValue({ maxDepth: 3 }),
);
const anyText = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.toWellFormed()),
);
const anyName = fc.oneof(
  fc.constantFrom("Title", "admin", "toString", "hasOwnProperty", "", "a.b"),
  fc.string({ maxLength: 12 }).filter((name) => name !== "__proto__"),
);
const wrongType: Spoiler = () => anyWrong;
const wrongText: Spoiler = () => anyText;
const tooMuch: Spoiler = (_, schema) =>
  fc.constantFrom<Json>(
    "y".repeat(Math.min((schema?.maxLength ?? 1_000) + 1, 200_000)),
    "é".repeat(10_000),
    Array.from({ length: Math.min((schema?.maxItems ?? 500) + 1, 2_000) }, (_item, index) => `a${index}`),
    (schema?.maximum ?? 0) + 1,
    (schema?.minimum ?? schema?.exclusiveMinimum ?? 0) - 1,
  );
const tooDeep: Spoiler = (value) =>
  fc.constantFrom(2, 30, 95).map((levels) => {
    let nested = value;
    for (let level = 0; level < levels; level++) nested = level % 2 === 0 ? [nested] : { a: nested };
    return nested;
  });
const spoilers = [wrongType, wrongType, wrongText, tooMuch, tooDeep];

/** Never a promise that it is invalid: what is still valid must be answered, too. */
export function spoilt(input: fc.Arbitrary<unknown>, schema: Schema): fc.Arbitrary<unknown> {
  return input.chain((value) => {
    const paths = pathsIn(value);
    const replaced = fc
      .tuple(fc.constantFrom(...paths), fc.constantFrom(...spoilers))
      .chain(([path, spoil]) => spoil(at(value, path), schemaAt(schema, path)).map((wrong) => put(value, path, wrong)));
    const members = paths.filter((path) => path.length > 0);
    const torn = members.length === 0 ? replaced : fc.constantFrom(...members).map((path) => without(value, path));
    const more = fc
      .tuple(anyName, anyWrong)
      .map(([name, extra]) => (isObject(value) ? { ...value, [name]: extra } : extra));
    return fc.oneof({ weight: 5, arbitrary: replaced }, { weight: 2, arbitrary: torn }, { weight: 2, arbitrary: more });
  });
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The places of a value, itself among them. */
function pathsIn(value: Json, here: Path = []): readonly Path[] {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [here, ...members.flatMap(([name, member]) => pathsIn(member, [...here, name]))];
}

function at(value: Json, path: Path): Json {
  return path.reduce<Json>((inside, name) => (inside as Record<string | number, Json>)[name], value);
}

function schemaAt(schema: Schema, path: Path): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (inside, name) => (typeof name === "number" ? inside?.items : inside?.properties?.[name]),
    schema,
  );
}

function put(value: Json, [name, ...rest]: Path, wrong: Json): Json {
  if (name === undefined) return wrong;
  const inside = put((value as Record<string | number, Json>)[name], rest, wrong);
  return Array.isArray(value) ? value.with(name as number, inside) : { ...(value as object), [name]: inside };
}

function without(value: Json, path: Path): Json {
  const [place, name] = [path.slice(0, -1), path.at(-1)!];
  const holder = at(value, place);
  const left = Array.isArray(holder)
    ? holder.toSpliced(name as number, 1)
    : Object.fromEntries(Object.entries(holder as object).filter(([key]) => key !== name));
  return put(value, place, left);
}
