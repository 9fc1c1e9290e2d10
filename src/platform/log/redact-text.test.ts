import { expect, it } from "vitest";
import { systemClock } from "../clock/index.ts";
import { isSecretName, redactText } from "./redact-text.ts";
import { memoryLog } from "./testkit.ts";

const token = "sylk_agt_AbCdEf0123456789_-xyz";

it("takes our tokens out of any text, also when cut short", () => {
  expect(redactText(`use ${token}, please`)).toBe("use sylk_agt_[redacted], please");
  expect(redactText(`x${token.slice(0, 14)}`)).toBe("xsylk_agt_[redacted]");
});

it("takes out what follows Bearer and what a secret's name is given in text", () => {
  for (const text of [
    "Authorization: Bearer hunter2",
    "authorization: Basic hunter2",
    "https://h/?token=hunter2&x=1",
    '{"password":"hunter2"}',
    '{\\"apiKey\\": \\"hunter2\\"}',
    "api_key = hunter2",
    "bearer hunter2",
    "secret='hunter2'",
    '{"password": "a \\" hunter2"}',
    "postgres://me:hunter2@db/sylk",
    "password='two hunter2'",
  ]) {
    expect(redactText(text), text).not.toContain("hunter2");
  }
  expect(redactText("https://h/?token=hunter2&x=1")).toBe("https://h/?token=[redacted]&x=1");
});

it("leaves ordinary text and counters alone", () => {
  for (const text of [
    "Unexpected token } in JSON",
    "fencingToken=5",
    "tokens: 300",
    "agt_123 reserved src/**",
    "http://127.0.0.1:7373/mcp",
  ])
    expect(redactText(text)).toBe(text);
});

it("knows a secret by its name in any spelling", () => {
  expect(
    ["token", "TOKEN", "accessToken", "API_KEY", "x-api-key", "Authorization", "clientSecret", "set-cookie"].filter(
      (name) => !isSecretName(name),
    ),
  ).toEqual([]);
  expect(["fencingToken", "maxTokens", "secretary", "keyboard"].filter(isSecretName)).toEqual([]);
});

it("redacts fields by name, nested, whatever their type, but says whether there is one", () => {
  const { log, lines } = memoryLog();
  log.info("x", {
    a: [{ Password: 1234, b: { token: { value: "hunter2" } } }],
    hasToken: true,
    secret: null,
    fencingToken: 7,
  });
  expect(lines()[0]).toMatchObject({
    a: [{ Password: "[redacted]", b: { token: "[redacted]" } }],
    hasToken: true,
    secret: null,
    fencingToken: 7,
  });
});

it("redacts in errors, their stacks and causes, in names, in the event and by the caller's own rule", () => {
  const { log, raw } = memoryLog({ redact: (text) => text.replaceAll("hunter2", "?") });
  log.error(`e ${token}`, { [token]: 1, error: new Error(`bad ${token}`, { cause: `${token} hunter2` }) });
  expect(raw[0]).not.toContain(token);
  expect(raw[0]).not.toContain("hunter2");
});

it("takes no more than a moment for hostile text", () => {
  const { monotonic } = systemClock();
  const started = monotonic();
  for (const unit of [
    "a-",
    "token",
    "token =",
    "bearer ",
    '\\"',
    "sylk_agt_",
    "fencing-",
    "://",
    "://a:",
    'token="',
    'token=\\"',
  ])
    redactText(unit.repeat(8192 / unit.length));
  expect(monotonic() - started).toBeLessThan(500);
});
