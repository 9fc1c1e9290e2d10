/** For `sylk doctor`: whether what was installed into clients is still there and can run. */
import { entryPoints } from "./entry-points.ts";
import type { Finding, Terms } from "./finding.ts";

export async function checkHooks({ paths }: Terms): Promise<Finding> {
  const { installed, troubles } = (await entryPoints().clients()).examine(paths);
  if (installed === 0)
    return { check: "hooks", state: "ok", what: 'not installed; "sylk install claude-code" guards its edits' };
  if (troubles.length === 0)
    return {
      check: "hooks",
      state: "ok",
      what: `installed in ${installed} settings file${installed === 1 ? "" : "s"}`,
    };
  return {
    check: "hooks",
    state: "problem",
    what: troubles.join("; "),
    fix: "sylk install claude-code, in that project",
  };
}
