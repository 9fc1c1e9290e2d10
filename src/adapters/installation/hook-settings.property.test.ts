import fc from "fast-check";
import { expect, it } from "vitest";
import { claudeCode } from "../claude-code/index.ts";
import { hasHooks, withHooks, withoutHooks } from "./hook-settings.ts";
import { foreignSettings, settingsTexts } from "./testkit.ts";

const install = (text: string): string =>
  withHooks(
    text,
    "settings.json",
    claudeCode.entries,
    (event) => `sh "$HOME/.sylk/hooks/sylk-hook" claude-code ${event}`,
  );

it("adds our hooks to any settings and keeps every foreign value [DUAL-6]", () => {
  fc.assert(
    fc.property(settingsTexts, (text) => {
      const after = install(text);
      for (const { event } of claudeCode.entries)
        expect(hooksFor(after, event).at(-1)).toContain(`claude-code ${event}`);
      expect(foreignSettings(withoutHooks(after, "settings.json"))).toEqual(foreignSettings(text));
    }),
  );
});

it("writes nothing anew: what was there stands in the same order, byte for byte, around what is ours [DUAL-6]", () => {
  fc.assert(
    fc.property(settingsTexts, (text) => {
      const after = install(text);
      let at = 0;
      for (const character of withoutSpace(text)) {
        at = after.indexOf(character, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
    }),
  );
});

it("takes out what is ours, also after the user has changed and formatted the file [DUAL-6]", () => {
  fc.assert(
    fc.property(settingsTexts, fc.constantFrom(0, 2, "\t"), (text, indent) => {
      const changed = { added: true, ...(JSON.parse(install(text)) as object) };
      const after = withoutHooks(JSON.stringify(changed, undefined, indent), "settings.json");
      expect(hasHooks(after)).toBe(false);
      expect(foreignSettings(after)).toEqual({ added: true, ...foreignSettings(text) });
    }),
  );
});

it("leaves another program's handler in a group of ours", () => {
  const text = install("{}");
  const shared = text.replace(
    '"timeout": 10\n          }',
    '"timeout": 10\n          },\n          { "type": "command", "command": "theirs" }',
  );
  expect(hooksFor(withoutHooks(shared, "f"), "SessionStart")).toEqual(["theirs"]);
});

it.each([
  ["no JSON", "{ not json"],
  ["a list", "[]"],
  ["hooks that are a list", '{"hooks": []}'],
  ["an event that is no list", '{"hooks": {"PreToolUse": {}}}'],
  ["bytes that are no text", '{"a": "\u{fffd}"}'],
])("refuses %s with the file's name and the way out", (_what, text) => {
  expect(() => install(text)).toThrow(/^settings\.json .*; it was not changed\. Fix it, then repeat$/);
});

it.each(['{ // mine\n  "a": 1, /* two */\n  "b": [1, 2,],\n}\n', "{\n  // nothing yet\n}\n"])(
  "reads comments and a last comma, and keeps both: %j",
  (text) => {
    const after = install(text);
    for (const comment of text.match(/\/\/ \w+|\/\* \w+ \*\//g) ?? []) expect(after).toContain(comment);
    expect(hasHooks(after)).toBe(true);
    expect(hasHooks(withoutHooks(after, "settings.json"))).toBe(false);
  },
);

function hooksFor(text: string, event: string): readonly string[] {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
  return (hooks[event] ?? []).flatMap((group) => (group.hooks ?? []).map(({ command }) => command));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, "");
}
