/** The published plugins: what is in them follows from the adapters and integration.json, and is silent without Sylk. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { integrationSchema, pluginFiles } from "../../scripts/generate/plugin-files.ts";
import { codex } from "../../src/adapters/codex/index.ts";
import { gemini } from "../../src/adapters/gemini/index.ts";
import { Integration } from "../../src/adapters/plugins/index.ts";
import { repository, scratchFolder } from "./scratch-folder.ts";

const byHand = [
  "plugins/sylk/.claude-plugin/integration.json",
  "plugins/sylk/skills/working-beside-other-agents/SKILL.md",
  "plugins/README.md",
];
const text = (path: string): string => readFileSync(join(repository, path), "utf8");
const json = (path: string): Readonly<Record<string, unknown>> => JSON.parse(text(path)) as Record<string, unknown>;

type Group = { readonly matcher?: string; readonly hooks: readonly { readonly command: string }[] };
type Hooks = { readonly hooks: Readonly<Record<string, readonly Group[]>> };
const commandsOf = (path: string): readonly string[] =>
  Object.values((json(path) as Hooks).hooks)
    .flat()
    .flatMap((group) => group.hooks.map(({ command }) => command));

it("are what is generated, to the byte, and nothing else [DUAL-12]", () => {
  const generated = pluginFiles();
  for (const [path, content] of generated) expect(text(path), `${path} is stale: npm run generate`).toBe(content);
  const plugins = join(repository, "plugins");
  const found = readdirSync(plugins, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1));
  expect(paths.toSorted()).toEqual([...generated.map(([path]) => path), ...byHand].toSorted());
});

it.each([
  ["plugins/sylk/codex/hooks/hooks.json", codex],
  ["plugins/gemini/hooks/hooks.json", gemini],
])("%s listens to whatever its client's installation listens to", (path, { entries }) => {
  const published = Object.entries((json(path) as Hooks).hooks).flatMap(([event, groups]) =>
    groups.map(({ matcher }) => ({ event, matcher })),
  );
  expect(published).toEqual(entries.map(({ event, matcher }) => ({ event, matcher })));
});

it("describe themselves by the features that integration.json declares, everywhere in the same words [DUAL-12]", () => {
  const { description } = json("plugins/sylk/.claude-plugin/plugin.json");
  const declared = Integration.parse(json(byHand[0]!));
  for (const { feature } of declared.integrated_features) expect(description).toContain(feature);
  for (const path of [".claude-plugin/marketplace.json", "plugin.json", "hooks/hooks.json"])
    expect(json(`plugins/sylk/${path}`)).toMatchObject({ description });
  for (const path of ["sylk/codex/.codex-plugin/plugin.json", "gemini/gemini-extension.json"])
    expect(json(`plugins/${path}`)).toMatchObject({ description });
});

describe("integration.json", () => {
  const published = z.fromJSONSchema(JSON.parse(text("docs/reference/integration.schema.json")) as never);

  it("follows the schema that is published, and stays out of the hosts' manifests [DUAL-2]", () => {
    expect(text("docs/reference/integration.schema.json")).toBe(integrationSchema());
    expect(published.safeParse(json(byHand[0]!))).toMatchObject({ success: true });
    const known = ["$schema", "name", "version", "description", "author", "license", "keywords"];
    for (const path of ["plugin.json", ".claude-plugin/plugin.json", "codex/.codex-plugin/plugin.json"])
      expect(Object.keys(json(`plugins/sylk/${path}`)).filter((key) => !known.includes(key))).toEqual([]);
  });

  it.each([
    ["no standalone features", { integrated_features: [] }],
    [
      "a feature that requires something nobody knows",
      { standalone_features: [], integrated_features: [{ feature: "a", requires: ["luck"] }] },
    ],
    [
      "a feature that requires nothing",
      { standalone_features: [], integrated_features: [{ feature: "a", requires: [] }] },
    ],
  ])("is refused with %s [DUAL-2]", (_what, wrong) => {
    expect([published.safeParse(wrong).success, Integration.safeParse(wrong).success]).toEqual([false, false]);
  });
});

it.each([
  ["plugins/sylk/hooks/hooks.json", "CLAUDE_PLUGIN_ROOT", "plugins/sylk"],
  ["plugins/sylk/codex/hooks/hooks.json", "PLUGIN_ROOT", "plugins/sylk/codex"],
  ["plugins/gemini/hooks/hooks.json", "extensionPath", "plugins/gemini"],
])("%s does nothing where Sylk was never set up, and where the plugin is gone", (path, variable, folder) => {
  const home = scratchFolder();
  for (const command of commandsOf(path))
    for (const place of [join(repository, folder), join(home, "gone")]) {
      const env = { PATH: process.env.PATH, HOME: home, [variable]: place };
      const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { env, input: "{}", encoding: "utf8" });
      expect({ command, status, stdout, stderr }).toEqual({ command, status: 0, stdout: "", stderr: "" });
    }
});

it("name no place of a machine", () => {
  for (const [path, content] of pluginFiles()) expect(content, path).not.toMatch(/\/(home|Users|tmp|root)\//);
});

it("bring a skill that loaders take: named as its folder, described in one short paragraph", () => {
  const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n/.exec(text(byHand[1]!)) ?? [];
  expect(byHand[1]).toContain(`/skills/${name}/`);
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(description!.length).toBeLessThan(1024);
});
