/**
 * A stranger follows the README in a repository of their own: every command of its blocks marked `walk` is typed on a
 * terminal of 80 columns, with the package as it would be published.
 *
 *   SYLK_RECORD=1 npm test -- readme-walk    keeps the transcripts anew; read them before you commit them
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import { readWalk } from "../docs/read-walk.ts";
import { difference } from "../docs/stand-ins.ts";
import { repository } from "../tooling/scratch-folder.ts";
import { python, type StrangersProject, typescript } from "./strangers-projects.ts";
import { beginWalk, type Walk } from "./walk.ts";

const steps = readWalk(readFileSync(join(repository, "README.md"), "utf8"));

describe.concurrent("the README", () => {
  it("names every step of the way in", () => {
    const typed = steps.flatMap((step) => (step.kind === "typed" ? [step.command] : []));
    for (const command of ["npm install -g sylk", "cd", "sylk install claude-code", "sylk provider add", "sylk run"])
      expect(typed).toContainEqual(expect.stringMatching(new RegExp(`^${command}\\b`)));
    expect(steps).toContainEqual(expect.objectContaining({ kind: "told" }));
  });

  it("does what it says in a TypeScript repository that is not ours [CORE-32]", () => expectWalk(typescript));

  it("does what it says in a Python repository that is not ours", async ({ skip }) => {
    skip(spawnSync("python3", ["-c", ""]).status !== 0, "python3 is not installed");
    await expectWalk(python);
  });
});

async function expectWalk(project: StrangersProject): Promise<void> {
  await using walk = await beginWalk(project);
  await walk.follow(steps);
  for (const [path, content] of Object.entries(project.changed))
    expect(readFileSync(join(walk.repository, path), "utf8"), `${path} is merged`).toBe(content);
  // Without a sandbox a run says so, in a line more.
  if (noSandbox === "") expectAsKept(walk, join(import.meta.dirname, "walks", `${project.language}.txt`));
}

function expectAsKept(walk: Walk, file: string): void {
  const shown = walk
    .transcript()
    .replaceAll(/npm install -g \S+/g, "npm install -g sylk")
    .replaceAll(/ in \d+m?s$/gm, " in 4 s");
  if (process.env["SYLK_RECORD"] === "1") writeFileSync(file, `${shown}\n`);
  const kept = readFileSync(file, "utf8").trimEnd().split("\n");
  const standIns = { ...walk.standIns, ids: new Map<string, string>() };
  // Which of its names an engineer gets depends on who was there before.
  const names = ["lynx", "wren", "badger"];
  expect(difference(kept, shown, { unordered: false, names }, standIns), shown).toBeUndefined();
}
