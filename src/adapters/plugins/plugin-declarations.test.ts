import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { scratchFolder, type ScratchFolder } from "../../platform/store/testkit.ts";
import { createPluginDeclarations } from "./plugin-declarations.ts";

function install({ path }: ScratchFolder, plugins: Readonly<Record<string, unknown>>): string {
  const config = join(path, "claude");
  mkdirSync(join(config, "plugins"), { recursive: true });
  const entries = Object.entries(plugins).map(([name, integration], index) => {
    const installPath = join(config, "plugins", "cache", name);
    mkdirSync(join(installPath, ".claude-plugin"), { recursive: true });
    const text = typeof integration === "string" ? integration : JSON.stringify(integration);
    writeFileSync(join(installPath, ".claude-plugin", "integration.json"), text);
    return [`${name}@market`, index % 2 === 0 ? [{ installPath }] : { installPath }] as const;
  });
  const file = join(config, "plugins", "installed_plugins.json");
  writeFileSync(file, JSON.stringify({ version: 2, plugins: Object.fromEntries(entries) }));
  return config;
}

function declared(config: string, clock = manualClock()) {
  return createPluginDeclarations({ clock, env: { CLAUDE_CONFIG_DIR: config } });
}

it("reads capabilities and reviewers of installed plugins, for the client they are installed in [CAP-5]", async () => {
  using folder = scratchFolder();
  const config = install(folder, {
    interflux: {
      standalone_features: ["Multi-agent code review"],
      capabilities: ["Code-Review", "lang:go"],
      reviewers: [{ name: "fd-safety", capabilities: ["security"] }, { name: "fd-quality" }],
    },
    other: { capabilities: ["code-review", "docs"] },
  });
  const of = declared(config);
  expect(await of("claude-code")).toEqual([
    "code-review",
    "lang:go",
    "reviewer:fd-safety",
    "reviewer:fd-quality",
    "security",
    "docs",
  ]);
  expect(await of("codex")).toEqual([]);
});

it("takes nothing from a plugin whose file makes no sense, and the rest from the others [CAP-5]", async () => {
  using folder = scratchFolder();
  const config = install(folder, {
    broken: "{",
    strange: { capabilities: ["with space", "a:b:c", "../..", "ok"], reviewers: [{ name: "rm -rf" }] },
    wrong: { capabilities: "everything" },
    large: { capabilities: ["x".repeat(400_000)] },
  });
  expect(await declared(config)("claude-code")).toEqual(["ok"]);
  expect(await declared(join(folder.path, "nowhere"))("claude-code")).toEqual([]);
});

it("never fails over a file's content [CAP-5]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      using folder = scratchFolder();
      const found = await declared(install(folder, { any: text }))("claude-code");
      expect(found.every((name) => /^[a-z0-9+#._-]+(:[a-z0-9+#._-]+)?$/.test(name))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it("reads again after a while, not at every call", async () => {
  using folder = scratchFolder();
  const clock = manualClock();
  const of = declared(install(folder, { one: { capabilities: ["one"] } }), clock);
  expect(await of("claude-code")).toEqual(["one"]);
  install(folder, { one: { capabilities: ["two"] } });
  expect(await of("claude-code")).toEqual(["one"]);
  clock.advance(10_001);
  expect(await of("claude-code")).toEqual(["two"]);
});
