/**
 * Files that a patch in Codex's form changes, as the patch names them. Pure.
 *
 *   *** Begin Patch
 *   *** Update File: src/a.ts        then lines that begin with " ", "+", "-" or "@@"
 *   *** Move to: src/b.ts            only directly below its update
 *   *** Add File: src/c.ts           then lines that begin with "+"
 *   *** Delete File: src/d.ts
 *   *** End Patch
 *
 * Content is never read as a header: an added line may well look like one. The text around a patch (`apply_patch <<'EOF'`)
 * does not matter, and a patch that ends too early has the targets it has come to.
 */
export type PatchTarget = { readonly path: string; readonly change: "add" | "update" | "delete" | "move" };

type Body = "none" | "added" | "hunks";

const header = /^\*\*\* (Add File|Update File|Delete File): (.+)$/;
const moved = /^\*\*\* Move to: (.+)$/;
const changes = { "Add File": "add", "Update File": "update", "Delete File": "delete" } as const;

export function patchTargets(text: string): readonly PatchTarget[] {
  const targets: PatchTarget[] = [];
  let body: Body = "none";
  let mayBeMoved = false;
  for (let at = 0, end = 0; at <= text.length; at = end + 1) {
    const newline = text.indexOf("\n", at);
    end = newline === -1 ? text.length : newline;
    const isContent = body === "hunks" ? !text.startsWith("***", at) : body === "added" && text.startsWith("+", at);
    const isBelowUpdate = mayBeMoved;
    mayBeMoved = false;
    if (isContent) continue; // before it is copied: a patch may be large
    const line = text.slice(at, end);
    const to = isBelowUpdate ? moved.exec(line.trimEnd())?.[1]?.trim() : undefined;
    if (to !== undefined) {
      targets.push({ path: to, change: "move" });
      continue;
    }
    const [, kind, path = ""] = header.exec(line.trim()) ?? [];
    if (kind === undefined) continue;
    const change = changes[kind as keyof typeof changes];
    targets.push({ path: path.trim(), change });
    body = change === "update" ? "hunks" : change === "add" ? "added" : "none";
    mayBeMoved = change === "update";
  }
  return targets;
}
