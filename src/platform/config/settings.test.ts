import { expect, expectTypeOf, it } from "vitest";
import {
  type SettingDefinition,
  envNameOf,
  flagOf,
  isSettingKey,
  settingDefinitions,
  settingKeys,
  type Settings,
} from "./settings.ts";

it("derives the variable and the flag from the key", () => {
  expect(envNameOf("http.port")).toBe("SYLK_HTTP_PORT");
  expect(flagOf("http.port")).toBe("--http-port");
  expect(envNameOf("work.maxClaimsPerAgent")).toBe("SYLK_WORK_MAX_CLAIMS_PER_AGENT");
  expect(flagOf("work.maxClaimsPerAgent")).toBe("--work-max-claims-per-agent");
});

it("gives no two settings the same variable or flag", () => {
  expect(new Set(settingKeys.map(envNameOf)).size).toBe(settingKeys.length);
  expect(new Set(settingKeys.map(flagOf)).size).toBe(settingKeys.length);
});

it("has a default that its own schema allows, and a description, for every setting", () => {
  for (const key of settingKeys) {
    const { kind, default: value, description }: SettingDefinition = settingDefinitions[key];
    expect(kind.schema.safeParse(value).success, key).toBe(true);
    expect(description, key).not.toBe("");
  }
});

it("reads its own default back from text", () => {
  for (const key of settingKeys) {
    const { kind, default: value } = settingDefinitions[key];
    expect(kind.fromText(String(value)), key).toBe(value);
  }
});

it("knows no setting that only every object has", () => {
  expect(["constructor", "__proto__", "toString"].some(isSettingKey)).toBe(false);
});

it("types each setting by its schema", () => {
  expectTypeOf<Settings["http.port"]>().toEqualTypeOf<number>();
  expectTypeOf<Settings["http.enabled"]>().toEqualTypeOf<boolean>();
  expectTypeOf<Settings["log.level"]>().toEqualTypeOf<"debug" | "info" | "warn" | "error">();
});
