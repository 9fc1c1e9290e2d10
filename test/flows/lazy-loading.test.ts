/** A command pays for its own imports only. Counted by what Node loads, not by time. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filesLoadedBy } from "./loaded-modules.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";

const heavy = ["zod", "fastify", "better-sqlite3", "yaml", "@modelcontextprotocol/server", "ai"];

it("loads no schema, server, database or model library for `status`, `up`, `down` and a command typed alone", async () => {
  await using daemon = await openScratchDaemon();
  for (const args of [["status"], ["status", "--json"], ["up"], ["who"], ["ready", "--json"], ["down"]]) {
    const { libraries, files, bytes } = await filesLoadedBy(daemon, args);
    expect(
      heavy.filter((name) => libraries.has(name)),
      args.join(" "),
    ).toEqual([]);
    expect(files.length, args.join(" ")).toBeGreaterThan(1);
    expect(bytes, args.join(" ")).toBeLessThan(300_000);
  }
});

it("loads the schemas of what a command calls and no others, and neither server nor database", async () => {
  await using daemon = await openScratchDaemon();
  const { libraries, files, bytes } = await filesLoadedBy(daemon, ["who", "--limit", "5"]);
  expect(libraries.has("zod"), "so the check above can fail").toBe(true);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const nouns = (wanted: RegExp) => texts.filter((text) => wanted.test(text)).length;
  expect([nouns(/^\/\/ src\/contract\/agent\.ts$/m), nouns(/^\/\/ src\/contract\/(dag|mail|run)\.ts$/m)]).toEqual([
    1, 0,
  ]);
  expect(bytes).toBeLessThan(800_000);
  expect(
    ["fastify", "better-sqlite3", "@modelcontextprotocol/server", "ai"].filter((name) => libraries.has(name)),
  ).toEqual([]);
});

it("loads nothing heavy to list commands, complete words or tell the version", async () => {
  await using daemon = await openScratchDaemon();
  for (const args of [["--help"], ["--version"], ["__complete", "--", "wo"]]) {
    const { libraries } = await filesLoadedBy(daemon, args);
    expect(
      heavy.filter((name) => libraries.has(name)),
      args.join(" "),
    ).toEqual([]);
  }
});
