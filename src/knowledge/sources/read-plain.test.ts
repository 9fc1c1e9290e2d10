import { expect, it } from "vitest";
import { readPlain } from "./read-plain.ts";

const titleOf = (text: string, type: "markdown" | "text" = "markdown") =>
  readPlain({ bytes: Buffer.from(text), type, location: "notes", encoding: undefined }).title;

it.each([
  ["# Leases\n\nText.\n", "Leases"],
  ["Intro.\n\n# Leases #\n", "Leases"],
  ["Leases\n======\n\nText.\n", "Leases"],
  ["## Leases\n\nText.\n", "Leases"],
  ["```sh\n# install it\nnpm i\n```\n\n# Leases\n", "Leases"],
  ['<div align="center"><img src="logo.svg"></div>\n\nText.\n\n## Benefits\n', undefined],
  ["~~~\n# never closed\n", undefined],
  ['<p align="center">\n<h1 align="center">\n  Leases\n</h1>\n</p>\n\n## Benefits\n', "Leases"],
  ["<!-- # Hidden -->\n\n# Leases\n", "Leases"],
])("takes what a Markdown document calls itself, not its first section: %j", (text, title) => {
  expect(titleOf(text)).toBe(title);
});

it("takes the first line of a plain text", () => {
  expect(titleOf("\nNotes of May\n\n# Leases\n", "text")).toBe("Notes of May");
});
