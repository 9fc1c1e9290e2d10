import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { InvalidSettings } from "./invalid-settings.ts";
import { resolveSettings } from "./resolve-settings.ts";
import { envNameOf, flagOf, settingDefinitions, type SettingKey } from "./settings.ts";
import { scratchFolder } from "./testkit.ts";

const layersUpwards = ["user", "project", "environment", "flag"] as const;
type Layer = (typeof layersUpwards)[number];
type Given = Readonly<Partial<Record<Layer, number>>>;

/** Project settings, as only these may stand in every layer; the numbers are allowed for each of them. */
const keys = ["reservations.ttlMs", "reservations.maxPerAgent", "work.claimTtlMs"] as const satisfies SettingKey[];
const isLoose: Readonly<Record<(typeof keys)[number], (value: number, own: number) => boolean>> = {
  "reservations.ttlMs": (value, own) => value < own,
  "reservations.maxPerAgent": (value, own) => value > own,
  "work.claimTtlMs": (value, own) => value < own,
};
const number = fc.integer({ min: 1000, max: 10_000 });
const given: fc.Arbitrary<Given> = fc.record(
  { user: number, project: number, environment: number, flag: number },
  { requiredKeys: [] },
);

/** `{"work.claimTtlMs": 1}` as `work: {claimTtlMs: 1}`. */
function yamlOf(values: readonly (readonly [SettingKey, number])[]): string {
  const groups: Record<string, Record<string, number>> = {};
  for (const [key, value] of values) {
    const [group = "", name = ""] = key.split(".");
    (groups[group] ??= {})[name] = value;
  }
  return stringify(groups);
}

it("takes each value from the highest layer that gives one, and names it; a project's looser one does not count [CORE-24, CORE-38]", async () => {
  using folder = scratchFolder();
  await fc.assert(
    fc.asyncProperty(fc.tuple(given, given, given), async (perKey) => {
      const of = (layer: Layer) =>
        keys.flatMap((key, index) =>
          perKey[index]?.[layer] === undefined ? [] : [[key, perKey[index][layer]] as const],
        );
      const { settings, origins } = await resolveSettings({
        userFile: folder.file("user.yaml", yamlOf(of("user"))),
        projectFile: folder.file("project.yaml", yamlOf(of("project"))),
        env: Object.fromEntries(of("environment").map(([key, value]) => [envNameOf(key), `${value}`])),
        flags: Object.fromEntries(of("flag")),
      });
      const whereOf = { user: /user\.yaml:\d+$/, project: /project\.yaml:\d+$/, environment: /^SYLK_/, flag: /^--/ };
      keys.forEach((key, index) => {
        const own = perKey[index]?.user ?? settingDefinitions[key].default;
        const winner = layersUpwards.findLast((layer) => {
          const value = perKey[index]?.[layer];
          return value !== undefined && !(layer === "project" && isLoose[key](value, own));
        });
        expect(origins[key].layer).toBe(winner ?? "default");
        if (!winner) return;
        expect(settings[key]).toBe(perKey[index]?.[winner]);
        expect(origins[key].where).toMatch(whereOf[winner]);
        if (winner === "flag") expect(origins[key].where).toBe(flagOf(key));
      });
    }),
    { numRuns: 60 },
  );
});

const yamlWord = fc.constantFrom(
  "http",
  "port",
  "log:",
  ": ",
  "\n",
  "  ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "&a ",
  "*a",
  '"',
  "'",
  "|",
  ">",
  "---\n",
  "%YAML 1.1\n",
  "!!int ",
  "? ",
  "#",
  "\t",
  "80",
  "~",
  "<<: ",
  "\r",
  "__proto__: ",
  "\u0000",
  "é😀",
);
const garbage = fc.oneof(
  fc.array(yamlWord, { maxLength: 40 }).map((words) => words.join("")),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.uint8Array({ maxLength: 80 }),
  fc.json(),
);

it("answers any file, however broken, with settings or with problems that name the file [CORE-24]", async () => {
  using folder = scratchFolder();
  await fc.assert(
    fc.asyncProperty(garbage, fc.constantFrom("userFile", "projectFile"), async (content, role) => {
      const file = folder.file("config.yaml", content);
      try {
        await resolveSettings({ [role]: file, env: {}, flags: {} });
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidSettings);
        const { problems, message } = error as InvalidSettings;
        expect(problems.length).toBeGreaterThan(0);
        for (const { where, allowed } of problems)
          expect([where.startsWith(file), allowed !== ""]).toEqual([true, true]);
        expect(message).toContain(file);
      }
    }),
    { numRuns: 300 },
  );
});
