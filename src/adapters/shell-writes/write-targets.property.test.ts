/** Whatever the text: no exception, no runaway; whatever the file name and its quoting: found. */
import { posix } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { redirects } from "./corpus/redirects.ts";
import { wrapped } from "./corpus/wrapped.ts";
import { writeTargets } from "./write-targets.ts";

const place = { cwd: "/repo", env: { HOME: "/home/ada" } };
const literalPaths = (command: string): readonly string[] =>
  writeTargets(command, place).targets.flatMap(({ path, isPattern }) => (isPattern ? [] : [path]));

const letter = fc.oneof(
  fc.constantFrom(...Array.from(" abcZ019_-.,:;|&<>()[]{}*?!~#$`'\"\\=+@%^\t\n")),
  fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }).filter((text) => text !== "\0" && text !== "/"),
);
const fileName = fc
  .array(letter, { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join(""))
  .filter((name) => name !== "." && name !== ".." && !name.includes("\0") && !name.includes("/"));

/** Every legal way to write one character of a word. */
const quotings = [
  (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`,
  (text: string) => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`,
  (text: string) => [...text].map((one) => (one === "\n" ? "'\n'" : /^\w$/.test(one) ? one : `\\${one}`)).join(""),
  (text: string) =>
    `$'${text
      .replaceAll(/['\\]/g, String.raw`\$&`)
      .replaceAll("\n", String.raw`\n`)
      .replaceAll("\t", String.raw`\t`)}'`,
];
const quoted = fc
  .array(fc.tuple(fileName, fc.constantFrom(...quotings)), { minLength: 1, maxLength: 3 })
  .filter((pieces) => ![".", ".."].includes(pieces.map(([text]) => text).join("")))
  .map((pieces) => ({
    name: pieces.map(([text]) => text).join(""),
    source: pieces.map(([text, quote]) => quote(text)).join(""),
  }));

it("finds any file name in any quoting, behind a redirect and as an argument [ADPT-4]", () => {
  fc.assert(
    fc.property(quoted, ({ name, source }) => {
      const path = posix.resolve(place.cwd, name);
      expect(literalPaths(`echo x > ${source}`)).toEqual([path]);
      expect(literalPaths(`touch -- ${source}`)).toEqual([path]);
      expect(literalPaths(`cd sub && x() { rm -f -- "$1"; }; x ${source}`)).toEqual([`/repo/sub/${name}`]);
    }),
    { numRuns: 300 },
  );
});

it("never throws, on text, on bits of shell, on commands with a piece cut out", () => {
  const bits = fc.array(
    fc.constantFrom(
      ..."$( ) ` \" ' { } , .. ; & | > < << EOF \n if then fi for do done in case esac () f x=1 ~ * [[ ]] (( )) -i sed rm cp eval bash -c find -exec xargs git checkout -- \\ $x ${x:- !".split(
        " ",
      ),
    ),
    { maxLength: 40 },
  );
  const cut = fc
    .tuple(fc.constantFrom(...redirects, ...wrapped), fc.nat(80), fc.nat(20))
    .map(([[command], from, length]) => command.slice(0, from) + command.slice(from + length));
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    bits.map((all) => all.join(" ")),
    bits.map((all) => all.join("")),
    cut,
  );
  fc.assert(
    fc.property(text, (command) => {
      const { targets, unknown } = writeTargets(command, place);
      expect(targets.every(({ path }) => path.startsWith("/"))).toBe(true);
      expect(unknown.length).toBeLessThanOrEqual(50);
    }),
    { numRuns: 2000 },
  );
});

const nasty = [
  "(",
  "$(",
  "{a,",
  "`",
  "<<E ",
  "${x:-",
  '"$(',
  "[[ ",
  "case x in ",
  "if ",
  "((",
  "a|",
  "a&&",
  "'\n",
  "<(",
  "> a ",
  "touch a;",
  "x=$x$x;",
  "for i in 1 2;do ",
  "sudo ",
  "f(){ f;f;};f;",
  "a{b,c} ",
  "eval ",
  "xargs ",
  "x+=$x;",
  'python -c "open(',
];

it.each(nasty)("comes to an end on 50 KB of %j", (piece) => {
  const { targets } = writeTargets(piece.repeat(Math.ceil(50_000 / piece.length)), place);
  expect(targets.length).toBeLessThanOrEqual(2000);
});
