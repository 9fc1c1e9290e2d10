/** AGENTS.md as the one instructions file: what stood in the clients' own files is kept, and uninstalling restores it. */
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonOf } from "./run-sylk.ts";
import { sylkOnPath } from "../docs/run-page.ts";
import { openTerminalShell } from "../docs/terminal-shell.ts";
import { openScratchHome } from "./scratch-home.ts";

const theirs = "# My rules\r\n\r\nUse tabs. \u00e9\n";

async function world() {
  const home = openScratchHome();
  const at = (name: string): string => join(home.repository, name);
  return {
    ...home,
    write: (name: string, text: string) => writeFileSync(at(name), text),
    read: (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined),
    link: (name: string, to: string) => symlinkSync(to, at(name)),
    isLink: (name: string) => lstatSync(at(name)).isSymbolicLink(),
    async run(...words: string[]) {
      const run = await home.sylk([...words, "--yes"]);
      expect(run.code, run.stderr).toBe(0);
      return run.stdout;
    },
  };
}

it("moves a client's own text to AGENTS.md, lets other clients point there, and restores every byte [CORE-34]", async () => {
  await using at = await world();
  at.write("CLAUDE.md", theirs);
  at.write("GEMINI.md", "Only for Gemini\n");
  const plan = jsonOf(await at.sylk(["install", "claude-code", "--agents-md", "--dry-run", "--json"]));
  expect(plan).toMatchObject({
    steps: expect.arrayContaining([
      expect.objectContaining({ action: "create", what: "the instructions for all clients move here" }),
      expect.objectContaining({ action: "change", what: "points to AGENTS.md" }),
    ]),
  });
  await at.run("install", "claude-code", "--agents-md");
  expect([at.read("CLAUDE.md"), at.read("AGENTS.md")]).toEqual(["@AGENTS.md\n", theirs]);
  await at.run("install", "gemini", "--agents-md");
  expect(at.read("GEMINI.md"), "its own text stays").toBe("@./AGENTS.md\n\nOnly for Gemini\n");
  await at.run("install", "claude-code", "--agents-md");
  expect([at.read("CLAUDE.md"), at.read("AGENTS.md")], "again").toEqual(["@AGENTS.md\n", theirs]);
  await at.run("uninstall", "gemini");
  expect(at.read("GEMINI.md")).toBe("Only for Gemini\n");
  await at.run("uninstall", "claude-code");
  expect([at.read("CLAUDE.md"), at.read("AGENTS.md")]).toEqual([theirs, undefined]);
});

it("leaves what was edited since, and says so [CORE-34]", async () => {
  await using at = await world();
  at.write("CLAUDE.md", theirs);
  await at.run("install", "claude-code", "--agents-md");
  at.write("AGENTS.md", `${theirs}And mine.\n`);
  expect(await at.run("uninstall", "claude-code")).toMatch(/AGENTS\.md was edited since, so it stays/);
  expect([at.read("CLAUDE.md"), at.read("AGENTS.md")]).toEqual([theirs, `${theirs}And mine.\n`]);
  at.write("CLAUDE.md", "");
  await at.run("install", "claude-code", "--agents-md");
  at.write("CLAUDE.md", "@AGENTS.md\nNew words\n");
  expect(await at.run("uninstall", "claude-code")).toContain("was edited since, so the instructions stay");
  expect(at.read("CLAUDE.md")).toBe("@AGENTS.md\nNew words\n");
});

it("does nothing where CLAUDE.md is a link to AGENTS.md, without the flag, or where it points there already [CORE-34]", async () => {
  await using at = await world();
  at.write("AGENTS.md", theirs);
  at.link("CLAUDE.md", "AGENTS.md");
  await at.run("install", "claude-code", "--agents-md");
  expect([at.isLink("CLAUDE.md"), at.read("AGENTS.md")]).toEqual([true, theirs]);
  at.write("GEMINI.md", "Words\n");
  await at.run("install", "gemini");
  expect(at.read("GEMINI.md")).toBe("Words\n");
  at.write("GEMINI.md", "@AGENTS.md\nWords\n");
  await at.run("install", "gemini", "--agents-md");
  expect(at.read("GEMINI.md")).toBe("@AGENTS.md\nWords\n");
});

it("never writes through a link that leads elsewhere [CORE-34]", async () => {
  await using at = await world();
  const outside = join(at.root, "elsewhere.md");
  writeFileSync(outside, theirs);
  at.link("CLAUDE.md", outside);
  expect(await at.run("install", "claude-code", "--agents-md")).toContain("is a link, so the instructions stay");
  expect([readFileSync(outside, "utf8"), at.read("AGENTS.md")]).toEqual([theirs, undefined]);
});

it("offers it on a terminal where there are instructions to share, in one line, and asks nothing where there are none [CORE-34]", async () => {
  await using at = await world();
  await using shell = await openTerminalShell({ cwd: at.repository, env: sylkOnPath(at) });
  const offer = "Make AGENTS.md the one instructions file of all clients? [y/N]";
  const goOn = { question: "Continue? [y/N]", answer: "n" };
  const bare = await shell.type("sylk install claude-code", [goOn]);
  expect(bare.output).not.toContain("AGENTS.md");
  at.write("CLAUDE.md", theirs);
  const declined = await shell.type("sylk install claude-code", [{ question: offer, answer: "n" }, goOn]);
  expect(declined.output).not.toContain("points to AGENTS.md");
  const both = [
    { question: offer, answer: "y" },
    { ...goOn, answer: "y" },
  ];
  const accepted = await shell.type("sylk install claude-code", both);
  expect(accepted).toMatchObject({ exitCode: 0, output: expect.stringContaining("points to AGENTS.md") });
  expect([at.read("CLAUDE.md"), at.read("AGENTS.md")]).toEqual(["@AGENTS.md\n", theirs]);
});
