import { expect, it } from "vitest";
import { readPatch } from "./read-patch.ts";

const patch = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -3,3 +3,3 @@ function a() {
 same
--- removed looks like a header
+++ added too
 same
\\ No newline at end of file
diff --git "a/src/\\303\\244 b.ts" "b/src/\\303\\244 b.ts"
new file mode 100644
--- /dev/null
+++ "b/src/\\303\\244 b.ts"
@@ -0,0 +1 @@
+one
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
`;

it("numbers the lines of each file, before and after, also where a line looks like a header [DASH-3]", () => {
  const [first, second, third] = readPatch(patch);
  expect(first!.path).toBe("src/a.ts");
  expect(first!.lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ["gap", "function a() {", 3, 3],
    ["same", "same", 3, 3],
    ["removed", "-- removed looks like a header", 4, undefined],
    ["added", "++ added too", undefined, 4],
    ["same", "same", 5, 5],
    ["note", "No newline at end of file", undefined, undefined],
  ]);
  expect([second!.path, second!.lines.at(-1)]).toEqual(["src/ä b.ts", { kind: "added", text: "one", after: 1 }]);
  expect([third!.path, third!.lines[0]!.kind]).toEqual(["logo.png", "note"]);
});

it("reads nothing from nothing, and survives a patch that was cut", () => {
  expect(readPatch("")).toEqual([]);
  expect(readPatch(patch.slice(0, 130)).length).toBe(1);
});
