import { expect, it } from "vitest";
import { commandEnvironment } from "./command-environment.ts";

it("carries what the caller named, and the daemon's own where a caller has no shell [RUN-8]", () => {
  const own = { PATH: "/daemon", HOME: "/home/ada", EDITOR: "vi", ANTHROPIC_API_KEY: "sk" };
  expect(commandEnvironment({ PATH: "/shell", LANG: "C" }, own)).toEqual({ PATH: "/shell", LANG: "C" });
  expect(commandEnvironment({}, own)).toEqual({ PATH: "/daemon", HOME: "/home/ada" });
});

it("carries nothing that looks like a key, whoever named it [RUN-8]", () => {
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
