/** Lists for `sylk doctor` what was put aside instead of deleted: references that keep it, and torn trees. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { treeRoot } from "./repository-path.ts";

type Listed = {
  readonly check: string;
  readonly state: "ok" | "warning";
  readonly what: string;
  readonly fix?: string;
};

const shown = 10;

export function checkQuarantine({ cwd, home }: { readonly cwd: string; readonly home: string }): Listed {
  const found = quarantinedIn(cwd);
  if ("trouble" in found)
    return {
      check: "quarantine",
      state: "warning",
      what: `what is in quarantine is unknown: git failed: ${found.trouble}`,
      fix: '"git for-each-ref refs/sylk/quarantine/" in this repository shows the same error',
    };
  const kept = [...found.names, ...tornTreesIn(join(home, "worktrees"))];
  if (kept.length === 0) return { check: "quarantine", state: "ok", what: "nothing is in quarantine" };
  const rest = kept.length > shown ? ` and ${kept.length - shown} more` : "";
  return {
    check: "quarantine",
    state: "ok",
    what: `${kept.length} in quarantine: ${kept.slice(0, shown).join(" ")}${rest}`,
    fix: '"git log -p <name>" shows one, "git branch back <name>" restores it, "git update-ref -d <name>" deletes it',
  };
}

/** Without git, or outside of a repository, there is none; any other failure of git says nothing about what is there. */
function quarantinedIn(cwd: string): { readonly names: readonly string[] } | { readonly trouble: string } {
  if (!existsSync(join(treeRoot(cwd), ".git"))) return { names: [] };
  try {
    const output = execFileSync("git", ["for-each-ref", "--format=%(refname)", "refs/sylk/quarantine/"], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { names: output.split("\n").filter((line) => line !== "") };
  } catch (error) {
    const { code, stderr = "", message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    if (code === "ENOENT") return { names: [] };
    return { trouble: stderr.trim().split("\n")[0] || message };
  }
}

function tornTreesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.includes(".incomplete"))
    .map((name) => join(folder, name));
}
