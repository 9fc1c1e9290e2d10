/** Lists for `sylk doctor` what was put aside instead of deleted: references that keep it, and torn trees. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

type Listed = { readonly check: string; readonly state: "ok"; readonly what: string; readonly fix?: string };

const shown = 10;

export function checkQuarantine({ cwd, home }: { readonly cwd: string; readonly home: string }): Listed {
  const kept = [...quarantinedIn(cwd), ...tornTreesIn(join(home, "worktrees"))];
  if (kept.length === 0) return { check: "quarantine", state: "ok", what: "nothing is in quarantine" };
  const rest = kept.length > shown ? ` and ${kept.length - shown} more` : "";
  return {
    check: "quarantine",
    state: "ok",
    what: `${kept.length} in quarantine: ${kept.slice(0, shown).join(" ")}${rest}`,
    fix: '"git log -p <name>" shows one, "git branch back <name>" restores it, "git update-ref -d <name>" deletes it',
  };
}

/** Without git, or outside of a repository, there is none. */
function quarantinedIn(cwd: string): readonly string[] {
  try {
    const output = execFileSync("git", ["for-each-ref", "--format=%(refname)", "refs/sylk/quarantine/"], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

function tornTreesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.includes(".incomplete"))
    .map((name) => join(folder, name));
}
