import { expect, it } from "vitest";
import { findCommands } from "./find-commands.ts";

const command = (kind: string, name: string) => ({ kind, name, key: `${kind} ${name}`, run: () => {} });
const all = [
  command("page", "Runs"),
  command("agent", "heron"),
  command("run", "Ship runs"),
  command("agent", "otter"),
];
const named = (text: string) => findCommands(all, text).shown.map(({ name }) => name);

it("shows all commands before a letter is typed", () => {
  expect(named("")).toEqual(all.map(({ name }) => name));
});

it("puts names that begin with the letters first, and finds by kind [DASH-13]", () => {
  expect(named("run")).toEqual(["Runs", "Ship runs"]);
  expect(named("agent ot")).toEqual(["otter"]);
  expect(named("nothing")).toEqual([]);
});
