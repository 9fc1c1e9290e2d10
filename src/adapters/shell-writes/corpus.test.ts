/** Recall and false denials over commands written by hand. */
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { code } from "./corpus/code.ts";
import type { Commands } from "./corpus/commands.ts";
import { editors } from "./corpus/editors.ts";
import { files } from "./corpus/files.ts";
import { git } from "./corpus/git.ts";
import { redirects } from "./corpus/redirects.ts";
import { wrapped } from "./corpus/wrapped.ts";
import { writeTargets } from "./write-targets.ts";

const parts: Readonly<Record<string, Commands>> = { code, editors, files, git, redirects, wrapped };
const place = { cwd: "/repo", env: { HOME: "/home/ada" } };

const judged = Object.values(parts)
  .flat()
  .map(([command, writes]) => {
    const tokens = typeof writes === "string" ? writes.split(" ").filter((token) => token !== "") : writes;
    const wanted = new Set(tokens.filter((token) => token !== "?" && token !== "@").flatMap(meant));
    const { targets, unknown, programs, gitCommands } = writeTargets(command, place);
    const found = new Set(targets.map(({ path, isPattern }) => (isPattern ? `glob ${path}` : path)));
    return {
      command,
      wanted,
      found,
      isUnknown: tokens.includes("?"),
      saidUnknown: unknown.length + programs.length > 0,
      isForGit: tokens.includes("@"),
      asksGit: gitCommands.length > 0,
    };
  });

function meant(token: string): readonly string[] {
  const path = posix.resolve(place.cwd, token.replace(/^=/, ""));
  if (token.startsWith("=")) return [path];
  if (token.endsWith("/")) return [path, `glob ${posix.join(path, "**")}`];
  return /[*?[]/.test(token) ? [`glob ${path}`] : [path];
}

describe("over hand-written commands", () => {
  const missed = judged.filter(({ wanted, found }) => [...wanted].some((path) => !found.has(path)));
  const invented = judged.filter(({ wanted, found }) => [...found].some((path) => !wanted.has(path)));

  it("finds at least 98 % of what they write and invents a target in at most 1 % [ADPT-4]", () => {
    const wanted = judged.flatMap((one) => [...one.wanted]).length;
    const lost = judged.flatMap((one) => [...one.wanted].filter((path) => !one.found.has(path))).length;
    const recall = 1 - lost / wanted;
    const falseDenials = invented.length / judged.length;
    console.log(
      `${judged.length} commands, ${wanted} targets: recall ${(recall * 100).toFixed(2)} %, false denials ${(falseDenials * 100).toFixed(2)} %`,
    );
    expect(judged.length).toBeGreaterThanOrEqual(500);
    expect(recall, JSON.stringify(missed.map(({ command }) => command))).toBeGreaterThanOrEqual(0.98);
    expect(falseDenials, JSON.stringify(invented.map(({ command }) => command))).toBeLessThanOrEqual(0.01);
  });

  it("says what cannot be known, and only there [ADPT-4]", () => {
    const silent = judged.filter(({ isUnknown, saidUnknown }) => isUnknown && !saidUnknown);
    const doubting = judged.filter(({ isUnknown, saidUnknown }) => !isUnknown && saidUnknown);
    expect(silent.map(({ command }) => command)).toEqual([]);
    expect(doubting.map(({ command }) => command)).toEqual([]);
    const wrong = judged.filter(({ isForGit, asksGit }) => isForGit !== asksGit);
    expect(wrong.map(({ command, asksGit }) => ({ command, asksGit }))).toEqual([]);
  });
});
