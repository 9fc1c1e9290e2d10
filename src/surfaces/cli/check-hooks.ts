/** For `sylk doctor`: whether what was installed into clients is still there and can run. */
import { entryPoints } from "./entry-points.ts";
import type { Finding, DoctorTerms } from "./finding.ts";

export async function checkHooks({ paths, env }: DoctorTerms): Promise<Finding> {
  const { installed, troubles, obstacles } = (await entryPoints().clients()).examine({ paths, env });
  if (installed === 0)
    return { check: "hooks", state: "ok", what: 'not installed; "sylk install <client>" guards its edits' };
  if (troubles.length === 0 && obstacles.length > 0)
    return { check: "hooks", state: "warning", what: obstacles.join("; ") };
  if (troubles.length === 0)
    return {
      check: "hooks",
      state: "ok",
      what: `installed in ${installed} settings file${installed === 1 ? "" : "s"}`,
    };
  return {
    check: "hooks",
    state: "problem",
    what: [...troubles, ...obstacles].join("; "),
    fix: "sylk upgrade, or sylk install <client> in that project",
  };
}
