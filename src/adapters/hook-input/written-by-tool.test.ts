import { expect, it } from "vitest";
import { writtenByTool } from "./written-by-tool.ts";

const own = { readers: new Set(["Read", "view_image"]) };
const written = (tool: unknown, input: unknown) => writtenByTool(tool, input, "/repo", own);

it.each([
  "Read",
  "mcp__fs__read_file",
  "mcp__github__listIssues",
  "mcp__sylk__reserve",
  "mcp__plugin_sylk_x__write",
  "",
])("takes %j for a tool that writes nothing", (tool) => {
  expect(written(tool, { path: "a.ts" })).toBeUndefined();
});

it("finds paths in fields that name files, also in lists and inside objects", () => {
  const edits = [{ file_path: "b.ts" }, { filePath: "/abs/c.ts" }];
  expect(written("mcp__fs__write_file", { path: "src/a.ts", content: "src/not-a-path.ts", edits })).toEqual({
    paths: ["/repo/src/a.ts", "/repo/b.ts", "/abs/c.ts"],
  });
  expect(written("mcp__fs__rename", { args: { old_path: "a.ts", new_path: "b.ts" } })).toEqual({
    paths: ["/repo/a.ts", "/repo/b.ts"],
  });
});

it("reads file addresses as files, and no other address", () => {
  expect(written("mcp__lsp__apply_edit", { uri: "file:///repo/src/a.ts" })).toEqual({ paths: ["/repo/src/a.ts"] });
  expect(written("mcp__web__download", { uri: "https://x.invalid/a.ts" })).toEqual({
    paths: [],
    tools: ["mcp__web__download"],
  });
});

it("leaves out what a copy only reads", () => {
  expect(written("mcp__fs__copy_file", { source: "a.ts", destination: "b.ts" })).toEqual({ paths: ["/repo/b.ts"] });
});

it("says that a tool is unknown when it names no file, even if its name says nothing", () => {
  expect(written("PowerShell", { command: "Remove-Item a.ts" })).toEqual({ paths: [], tools: ["PowerShell"] });
  expect(written("frobnicate", {})).toEqual({ paths: [], tools: ["frobnicate"] });
  expect(written("mcp__db__get_and_delete", { id: 3 })).toEqual({ paths: [], tools: ["mcp__db__get_and_delete"] });
});

it("takes a text with lines, and a path that is too long, for no path", () => {
  expect(written("write_file", { path: "a\nb", file: "x".repeat(5000) })).toEqual({ paths: [], tools: ["write_file"] });
});
