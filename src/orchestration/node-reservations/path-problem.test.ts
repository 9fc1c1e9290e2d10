import { expect, it } from "vitest";
import { pathProblem } from "./path-problem.ts";

it("takes paths and patterns inside the tree, and says what is wrong with others", () => {
  expect(pathProblem("paths", "src/[id].ts")).toBeUndefined();
  expect(pathProblem("patterns", "src/**")).toBeUndefined();
  for (const kind of ["paths", "patterns"] as const) {
    expect(pathProblem(kind, "../outside")).toMatch(/\S/);
    expect(pathProblem(kind, "")).toMatch(/\S/);
  }
});
