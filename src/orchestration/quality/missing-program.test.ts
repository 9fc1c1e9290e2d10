import { expect, it } from "vitest";
import { missingBehind } from "./missing-program.ts";

it.each([
  ["npx", 'npm error npx canceled due to missing packages and no YES option: ["eslint@9.1.0"]', "eslint"],
  ["pnpm", 'ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "eslint" not found', "eslint"],
  ["yarn", 'error Command "jest" not found.', "jest"],
  ["yarn", 'Usage Error: Couldn\'t find a script named "jest".', "jest"],
  ["uv", "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)", "pytest"],
  ["poetry", "Command not found: pytest", "pytest"],
  ["cargo", "error: no such command: `nextest`", "nextest"],
  ["cargo", "error: 'cargo-clippy' is not installed for the toolchain 'stable'", "cargo-clippy"],
  ["mix", '** (Mix) The task "credo" could not be found', "credo"],
  ["make", "pytest -q\nmake: pytest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n", "pytest"],
  ["make", "sh: 1: flake8: not found\nmake: *** [Makefile:2: lint] Error 127\n", "flake8"],
])("knows from %s that a program is absent: %s", (launcher, output, name) => {
  expect(missingBehind([launcher, "x"], output)).toBe(name);
});

it.each([
  ["make", "1 failed\nmake: *** [Makefile:2: test] Error 1\n"],
  ["npx", "1 problem (1 error, 0 warnings)"],
  ["cargo", "error: test failed, to rerun pass `--lib`"],
  ["pytest", 'Command "eslint" not found'],
])("takes what %s says of a failure for a failure", (launcher, output) => {
  expect(missingBehind([launcher], output)).toBeUndefined();
});
