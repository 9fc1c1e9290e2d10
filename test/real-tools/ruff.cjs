#!/usr/bin/env node
"use strict";
/** Stands for the program ruff: `check .` with the rules of its own build for WebAssembly. */
const fs = require("node:fs");
/** Installed beside the caches, not with Sylk. */
const rules = "@astral-sh/ruff-wasm-nodejs";
const { PositionEncoding, Workspace } = require(rules);

if (process.argv.includes("--version")) {
  console.log(`ruff ${Workspace.version()}`);
  process.exit(0);
}
const workspace = new Workspace(Workspace.defaultSettings(), PositionEncoding.Utf16);
const files = fs.readdirSync(".").filter((name) => name.endsWith(".py"));
const found = files.flatMap((name) =>
  workspace.check(fs.readFileSync(name, "utf8")).map(({ code, message }) => `${name}: ${code} ${message}`),
);
for (const line of found) console.log(line);
process.exit(found.length > 0 ? 1 : 0);
