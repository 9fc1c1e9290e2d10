/** Settings files as people have them: any keys, hooks of their own, any formatting. */
import fc from "fast-check";

const event = fc.constantFrom("PreToolUse", "SessionStart", "PostToolUse", "Stop");
const group = fc.record(
  {
    matcher: fc.constantFrom("Bash", "Edit|Write", "*"),
    hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() }), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ["hooks"] },
);
const hooks = fc.dictionary(event, fc.array(group, { minLength: 1, maxLength: 3 }), { maxKeys: 3 });
const key = fc
  .string({ maxLength: 8 })
  .filter((name) => name !== "hooks" && name !== "mcpServers" && name !== "__proto__" && name !== "added");
const settings = fc
  .tuple(
    fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    fc.option(hooks, { nil: undefined }),
    fc.option(fc.constant({ type: "command", command: "mine" }), { nil: undefined, freq: 1 }),
  )
  .map(([rest, own, statusLine]) => ({
    ...rest,
    ...(statusLine === undefined ? {} : { statusLine }),
    ...(own === undefined ? {} : { hooks: own }),
  }));
const indent = fc.constantFrom<string | number>(0, 1, 2, 4, "\t");

export const settingsTexts = fc
  .tuple(settings, indent, fc.constantFrom("", "\n", "\r\n", "\n\n"), fc.boolean())
  .map(([value, space, end, windows]) => {
    const text = JSON.stringify(value, undefined, space) + end;
    return windows ? text.replaceAll(/\r?\n/g, "\r\n") : text;
  })
  .filter((text) => !text.includes("\u{fffd}"));

const tomlLines = fc.constantFrom(
  'model = "gpt-5.5" # mine',
  "# comment",
  "",
  "[features]",
  '[mcp_servers.other]\ncommand = "x"',
  '[projects."/home/ada/shop"]\ntrust_level = "trusted"',
);
export const tomlTexts = fc
  .tuple(fc.array(tomlLines, { maxLength: 5 }), fc.constantFrom("", "\n", "\n\n"))
  .map(([lines, end]) => lines.join("\n") + end);

/** Without the empty containers that taking out may leave or take along. */
export function foreignSettings(text: string): Record<string, unknown> {
  const { hooks: found = {}, ...rest } = JSON.parse(text) as Record<string, unknown> & {
    hooks?: Record<string, unknown>;
  };
  const kept = Object.entries(found).filter(([, list]) => Array.isArray(list) && list.length > 0);
  return kept.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(kept) };
}
