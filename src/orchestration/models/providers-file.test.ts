import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { providersIn } from "./providers-file.ts";

const claude = { name: "claude", kind: "anthropic", model: "m1" } as const;
const local = { name: "local", kind: "openai-compatible", model: "m2", baseUrl: "http://127.0.0.1:1/v1" } as const;

function world(env: Readonly<Record<string, string>> = {}) {
  const folder = scratchFolder();
  const file = join(folder.path, "providers.json");
  const keys: (string | undefined)[] = [];
  const providers = providersIn(file, { env, onKeys: (...told) => void keys.push(...told) });
  return { file, providers, keys, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("providers", () => {
  it("tell every configured key, from the file and from variables, so that it is written nowhere else", async () => {
    using at = world({ ACME_KEY: "acme-1" });
    await at.providers.add(claude, "sk-1", false);
    await at.providers.add({ ...local, keyVariable: "ACME_KEY" }, undefined, false);
    expect(at.keys).toEqual(expect.arrayContaining(["sk-1", "acme-1"]));
  });

  it("keep keys in a file that only the user can read, whatever it was before, and show none [RUN-8]", async () => {
    using at = world();
    await at.providers.add(claude, "sk-1", false);
    expect(statSync(at.file).mode & 0o777).toBe(0o600);
    chmodSync(at.file, 0o644);
    await at.providers.add(local, undefined, false);
    expect(statSync(at.file).mode & 0o777).toBe(0o600);
    expect(await at.providers.list()).toEqual([
      { name: "claude", kind: "anthropic", model: "m1", key: "file", isDefault: true },
      { name: "local", kind: "openai-compatible", model: "m2", baseUrl: local.baseUrl, key: "none", isDefault: false },
    ]);
    expect(JSON.stringify(await at.providers.list())).not.toContain("sk-1");
  });

  it("are chosen by name or by default; the first one is the default until another is made it [RUN-8]", async () => {
    using at = world();
    await expect(at.providers.choose(undefined)).rejects.toMatchObject({
      code: "provider.missing",
      message: expect.stringContaining("--rehearse"),
    });
    await at.providers.add(claude, "sk-1", false);
    await at.providers.add(local, undefined, true);
    expect(await at.providers.choose(undefined)).toEqual({ config: local, apiKey: undefined });
    expect(await at.providers.choose("claude")).toEqual({ config: claude, apiKey: "sk-1" });
    await expect(at.providers.choose("gone")).rejects.toMatchObject({
      code: "provider.not-found",
      details: { known: ["claude", "local"] },
    });
  });

  it("are changed under their name, and removed with their key; the default moves on [RUN-8]", async () => {
    using at = world();
    await at.providers.add(claude, "sk-1", false);
    await at.providers.add({ ...claude, model: "m9" }, "sk-9", false);
    await at.providers.add(local, undefined, false);
    expect(await at.providers.choose("claude")).toMatchObject({ config: { model: "m9" }, apiKey: "sk-9" });
    await at.providers.remove("claude");
    expect(readFileSync(at.file, "utf8")).not.toMatch(/sk-/);
    expect((await at.providers.list()).map(({ name, isDefault }) => [name, isDefault])).toEqual([["local", true]]);
    await expect(at.providers.remove("claude")).rejects.toMatchObject({ code: "provider.not-found" });
  });

  it("take a key from the named variable at the moment of need, and forget one that was in the file [RUN-8]", async () => {
    const env: Record<string, string> = {};
    using at = world(env);
    await at.providers.add(claude, "sk-old", false);
    await at.providers.add({ ...claude, keyVariable: "CLAUDE_KEY" }, undefined, false);
    expect(readFileSync(at.file, "utf8")).not.toContain("sk-old");
    await expect(at.providers.choose("claude")).rejects.toMatchObject({
      code: "provider.missing",
      details: { variable: "CLAUDE_KEY" },
    });
    env.CLAUDE_KEY = "sk-env";
    expect((await at.providers.choose("claude")).apiKey).toBe("sk-env");
    expect(readFileSync(at.file, "utf8")).not.toContain("sk-env");
  });

  it("changed at the same time are all kept [RUN-8]", async () => {
    using at = world();
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => at.providers.add({ ...claude, name }, `sk-${name}`, false)));
    expect((await at.providers.list()).map(({ name }) => name).sort()).toEqual(names);
  });

  it("may have any allowed name, also one that objects have anyway", async () => {
    using at = world();
    await at.providers.add({ ...claude, name: "constructor" }, undefined, false);
    expect([(await at.providers.list())[0]?.key, (await at.providers.choose("constructor")).apiKey]).toEqual([
      "none",
      undefined,
    ]);
  });

  it.each(["{", '{"providers":"all"}', "null"])(
    "in a file that cannot be understood (%s) are no bug of ours: the file is named",
    async (text) => {
      using at = world();
      writeFileSync(at.file, text);
      await expect(at.providers.list()).rejects.toMatchObject({
        code: "settings.invalid",
        message: expect.stringContaining(at.file),
      });
    },
  );
});
