import { expect, it } from "vitest";
import { homePaths } from "../../platform/home/index.ts";
import { ringBell } from "./ring-bell.ts";

const paths = homePaths({ SYLK_HOME: "/nonexistent/sylk" });

it.each([
  ["a terminal, where it is wanted", true, "true", ["\u0007"]],
  ["no terminal", false, "true", []],
  ["a terminal, by default", true, undefined, []],
])("rings: %s", async (_, isTTY, SYLK_NOTIFY_BELL, heard) => {
  const written: string[] = [];
  await ringBell({ paths, env: { SYLK_NOTIFY_BELL } }, { isTTY, write: (text) => written.push(text) });
  expect(written).toEqual(heard);
});
