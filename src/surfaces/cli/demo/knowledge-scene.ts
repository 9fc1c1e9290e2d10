/** What was done before, and what a source says: the archive has the run, and claims are checked against a document. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoWorld } from "./demo-world.ts";

const rule = "A discount is at most 30 percent of the total.";
const claims = ["A discount is at most 30% of the total.", "A discount is at most 50% of the total."] as const;

export async function playKnowledge({
  out,
  user,
  root,
}: DemoWorld): Promise<{ readonly remembered: string | undefined; readonly kinds: readonly string[] }> {
  out.line();
  out.line(out.paint("bold", "8  What was done before, and what a source really says"));
  const { items } = await user.call("history.list", { allSessions: true, category: "workflow", limit: 1 });
  const remembered = items[0]?.title;
  out.line(`  archive  has "${remembered}", kept without a model call`);
  const source = join(root, "pricing.md");
  writeFileSync(source, `# Pricing\n\n${rule}\n`);
  await user.call("research.add", { location: source });
  out.line(`  source   pricing.md says "${rule}"`);
  const kinds: string[] = [];
  for (const claim of claims) {
    const { kind } = (await user.call("research.check", { claim })).claim;
    kinds.push(kind);
    out.line(`  claim    "${claim}"  ${out.paint(kind === "unsupported" ? "red" : "green", kind)}`);
  }
  return { remembered, kinds };
}
