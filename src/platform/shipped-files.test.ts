/** Shipped files as the sources have them; test/tooling/build.test.ts covers the build. */
import { expect, it } from "vitest";
import { fillShippedFile, listShippedFiles, readShippedFile } from "./shipped-files.ts";

const hook = "adapters/installation/pre-commit.sh";
const values = { BEGIN: "# begin", END: "# end", LAUNCH: "sh '$& $1' __END__", MOVED: ".old" };

it("fills every placeholder with its value, letter for letter", () => {
  const text = fillShippedFile(hook, values);
  expect(text).toContain("sh '$& $1' __END__ git pre-commit");
  expect(text.split("\n")[1]).toBe("# begin");
  expect(text.replace(values.LAUNCH, "")).not.toMatch(/__[A-Z]/);
});

it("refuses a placeholder without a value, and a value without a placeholder", () => {
  const { MOVED: _, ...lacking } = values;
  expect(() => fillShippedFile(hook, lacking)).toThrow(`${hook} has placeholders without a value: MOVED`);
  expect(() => fillShippedFile(hook, { ...values, OTHER: "" })).toThrow(`${hook} has no placeholder for: OTHER`);
});

it("lists files below a folder by their ending, sorted", () => {
  const hooks = listShippedFiles("adapters/installation", ["commit.sh"]);
  expect(hooks).toEqual(["adapters/installation/post-commit.sh", "adapters/installation/pre-commit.sh"]);
  expect(listShippedFiles("", [".sql"]).length).toBeGreaterThan(10);
  for (const path of hooks) expect(readShippedFile(path)).toMatch(/^#!\/bin\/sh\n/);
});
