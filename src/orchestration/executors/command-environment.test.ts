import { expect, it } from "vitest";
import { commandEnvironment, workerEnvironment } from "./command-environment.ts";

it("carries what the caller named, and the daemon's own where a caller has no shell [RUN-8]", () => {
  const own = { PATH: "/daemon", HOME: "/home/ada", EDITOR: "vi", ANTHROPIC_API_KEY: "sk" };
  expect(commandEnvironment({ PATH: "/shell", LANG: "C" }, own)).toEqual({ PATH: "/shell", LANG: "C" });
  expect(commandEnvironment({}, own)).toEqual({ PATH: "/daemon", HOME: "/home/ada" });
});

it("carries nothing that looks like a key, regardless of who named it [RUN-8]", () => {
  const secrets = [
    "ANTHROPIC_API_KEY",
    "openai_api_key",
    "AWS_ACCESS_KEY_ID",
    "GITHUB_TOKEN",
    "NPM_TOKEN_2",
    "DB_PASSWORD",
    "CLIENT_SECRET",
    "GOOGLE_APPLICATION_CREDENTIALS",
  ];
  const given = Object.fromEntries(secrets.map((name) => [name, "x"]));
  expect(commandEnvironment({ ...given, PATH: "/bin", KEYBOARD: "de", MONKEYS: "3" }, given)).toEqual({
    PATH: "/bin",
    KEYBOARD: "de",
    MONKEYS: "3",
  });
});

it("of a worker is what programs and connections need: no key is in it, whatever its variable is called [RUN-8]", () => {
  const kept = {
    PATH: "/bin",
    HOME: "/home/ada",
    LC_ALL: "C",
    https_proxy: "http://p",
    SYLK_HOME: "/h",
    NODE_OPTIONS: "",
  };
  const withheld = { CLAUDE_CRED: "x", AWS_ACCESS_KEY_ID: "x", SYLK_TOKEN: "x", PGPASS: "x", EDITOR: "vi" };
  expect(workerEnvironment({ ...kept, ...withheld, LANG: undefined })).toEqual(kept);
});
