/** Whatever a patch holds, its targets are its headers: no more, no fewer. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { patchTargets, type PatchTarget } from "./patch-targets.ts";

const path = fc
  .array(fc.constantFrom("src", "a.ts", "ü b", "..", "x: y", "***", "+", "[id]", "$HOME"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join("/"));
const anyLine = fc.oneof(
  fc.constantFrom(
    "*** Update File: trap.ts",
    "*** Add File: trap.ts",
    "*** Delete File: trap.ts",
    "*** Move to: trap.ts",
    "*** Begin Patch",
    "*** End Patch",
    "",
  ),
  fc.string({ maxLength: 12 }).filter((text) => !/[\r\n]/.test(text)),
);
const below = (marks: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...marks), anyLine), { maxLength: 5 })
    .map((lines) => lines.map((one) => one.join("")));

type Part = { readonly lines: readonly string[]; readonly targets: readonly PatchTarget[] };
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.tuple(path, below(["+"])).map(([name, lines]) => ({
    lines: [`*** Add File: ${name}`, ...lines],
    targets: [{ path: name, change: "add" as const }],
  })),
  path.map((name) => ({
    lines: [`*** Delete File: ${name}`],
    targets: [{ path: name, change: "delete" as const }],
  })),
  fc.tuple(path, fc.option(path), below(["@@ ", " ", "+", "-"])).map(([name, to, lines]) => ({
    lines: [`*** Update File: ${name}`, ...(to === null ? [] : [`*** Move to: ${to}`]), "@@", ...lines],
    targets: [
      { path: name, change: "update" as const },
      ...(to === null ? [] : [{ path: to, change: "move" as const }]),
    ],
  })),
);

it("finds each file of a patch, and takes no content for a header [ADPT-4]", () => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom(
        (text: string) => text,
        (text: string) => `cd src && apply_patch <<'EOF'\n${text}\nEOF\n`,
      ),
      (parts, end, wrap) => {
        const text = ["*** Begin Patch", ...parts.flatMap(({ lines }) => lines), "*** End Patch"].join(end);
        expect(patchTargets(wrap(text))).toEqual(parts.flatMap(({ targets }) => targets));
      },
    ),
  );
});

it("says of any text what it can, and never throws", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyLine, fc.string({ maxLength: 6 })), { maxLength: 20 }), (lines) => {
      for (const target of patchTargets(lines.join("\n"))) expect(target.path.trim()).not.toBe("");
    }),
  );
});

it("reads headers that are indented between files, as the client does", () => {
  expect(patchTargets("  *** Delete File: a.ts \n\t*** Add File: b.ts\n+x")).toEqual([
    { path: "a.ts", change: "delete" },
    { path: "b.ts", change: "add" },
  ]);
});

it("comes to an end on 50 MB", () => {
  const text = `*** Begin Patch\n*** Add File: big.ts\n${"+*** Delete File: x\n".repeat(2_500_000)}*** End Patch`;
  expect(patchTargets(text)).toEqual([{ path: "big.ts", change: "add" }]);
});
