/** What the Librarian knows of the demo's code: one question, answered from the index with file:line, tree and revision. */
import type { DemoWorld } from "./demo-world.ts";

const symbol = "total";

export async function playCode({
  out,
  user,
}: DemoWorld): Promise<{ readonly defined: readonly string[]; readonly used: readonly string[] }> {
  out.line();
  out.line(out.paint("bold", "7  What the code has: one index for all sessions, worktrees and branches"));
  const { definitions, items, about } = await user.call("code.usages", { symbol });
  const defined = definitions.map(({ path, line }) => `${path}:${line}`);
  const used = [...new Set(items.map(({ path, line }) => `${path}:${line}`))];
  for (const { path, line, signature = symbol } of definitions.slice(0, 2))
    out.line(`  ${symbol}   ${out.paint("green", `${path}:${line}`)}  ${signature.slice(0, 60)}`);
  out.line(`  used    ${used.slice(0, 4).join("  ")}`);
  out.line(out.paint("dim", `  ${about.revision}; by ${about.provider}, ${about.confidence}`));
  return { defined, used };
}
