import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { inLines } from "./file-lines.ts";
import { knownFiles } from "./known-files.ts";
import { findAmong, matching, structureOf } from "./list-known-files.ts";

const known = ["README.md", "src/cart.ts", "src/pay/card.ts", "src/pay/cash.ts", "test/cart.test.ts"];

describe("a file", () => {
  function world() {
    const root = scratchFolder();
    const tree = join(root.path, "tree");
    mkdirSync(join(tree, "src"), { recursive: true });
    mkdirSync(join(root.path, "away"));
    for (const [path, text] of [
      ["tree/src/cart.ts", "one\n"],
      ["tree/src/binary", "a\0b"],
      ["tree/src/large", "x".repeat(2_000_001)],
      ["tree/.env", "KEY=secret\n"],
      ["away/a.ts", "secret\n"],
    ] as const)
      writeFileSync(join(root.path, path), text);
    symlinkSync("../away", join(tree, "folder"));
    symlinkSync("../../away/a.ts", join(tree, "src/link.ts"));
    symlinkSync("cart.ts", join(tree, "src/same.ts"));
    const listed = [
      "src/cart.ts",
      "src/binary",
      "src/large",
      "src/link.ts",
      "src/same.ts",
      "src/gone.ts",
      "folder/a.ts",
    ];
    const files = knownFiles(
      tree,
      async () => listed,
      () => 0,
    );
    return { read: files.read, tree, [Symbol.dispose]: root[Symbol.dispose] };
  }

  it("that git knows is read, however its path is written", async () => {
    using at = world();
    for (const path of ["src/cart.ts", "./src/cart.ts", "src/../src//cart.ts"])
      expect(await at.read(path)).toEqual({ path: "src/cart.ts", text: "one\n" });
  });

  it.each([
    ["../away/a.ts", "caller.denied", "outside the working tree"],
    ["/etc/passwd", "caller.denied", "outside the working tree"],
    ["src/../../away/a.ts", "caller.denied", "outside the working tree"],
    ["src/link.ts", "caller.denied", "leads elsewhere through a link"],
    ["src/same.ts", "caller.denied", "leads elsewhere through a link"],
    ["folder/a.ts", "caller.denied", "leads elsewhere through a link"],
    [".env", "input.invalid", "git knows no file"],
    [".git/config", "input.invalid", "git knows no file"],
    ["src/crt.ts", "input.invalid", "did you mean src/cart.ts?"],
    ["src/gone.ts", "input.invalid", "is not there any more"],
    ["src/binary", "input.invalid", "is not a text file"],
    ["src/large", "input.invalid", "has 2000001 bytes"],
    ["src/cart.ts\0", "caller.denied", "outside the working tree"],
  ])("%j is refused: %s", async (path, code, message) => {
    using at = world();
    await expect(at.read(path)).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
  });
});

it("is shown by its lines, from either end, and never more than there is room for", () => {
  const file = { path: "a", text: "1\n2\n3\n4\n" };
  expect(inLines(file, {})).toEqual({ path: "a", from: 1, to: 4, of: 4, text: "1\n2\n3\n4" });
  expect(inLines(file, { from: 2, to: 3 })).toMatchObject({ from: 2, to: 3, text: "2\n3" });
  expect(inLines(file, { from: -2 })).toMatchObject({ from: 3, to: 4, text: "3\n4" });
  expect(inLines(file, { from: 9 })).toMatchObject({ from: 9, to: 8, text: "" });
  expect(inLines({ path: "a", text: "x\n".repeat(1_500) }, { to: 1_200 })).toMatchObject({ to: 1_000, cut: true });
  const wide = inLines({ path: "a", text: "x".repeat(70_000) }, {});
  expect([wide.text.length, wide.cut]).toEqual([60_000, true]);
});

it("files are found by pattern, name, kind and depth, and no folder leads out", () => {
  expect(matching("src/**/*.ts", known).all).toEqual(known.slice(1, 4));
  expect(findAmong({ path: ".", name: "cart*" }, known)).toEqual(["src/cart.ts", "test/cart.test.ts"]);
  expect(findAmong({ path: "src", type: "d" }, known)).toEqual(["src/pay"]);
  expect(findAmong({ path: "src/", maxdepth: 1 }, known)).toEqual(["src/cart.ts", "src/pay"]);
  expect(() => findAmong({ path: ".." }, known)).toThrow("outside the working tree");
  expect(() => findAmong({ path: "lib" }, known)).toThrow('git knows nothing below "lib"');
  expect(() => matching("src/[", known)).toThrow("pattern: ");
  const many = Array.from({ length: 600 }, (_, index) => `f${index}`);
  expect([matching("f*", many).shown.files.length, matching("f*", many).shown.count]).toEqual([500, 600]);
});

it("a folder is shown with its folders, how many files each has, and its own files", () => {
  expect(structureOf("src", known)).toEqual({
    path: "src",
    folders: [{ name: "pay", files: 2 }],
    files: ["cart.ts"],
    count: 1,
  });
  expect(structureOf(".", known).folders).toEqual([
    { name: "src", files: 3 },
    { name: "test", files: 1 },
  ]);
});
