import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../clock/index.ts";
import { memoryLog } from "../log/testkit.ts";
import { createRedactor, isSecretName, redactText } from "./index.ts";

const token = "sylk_agt_AbCdEf0123456789_-xyz";
const pem = (body: string) => `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

/** Made up, and put together here so that no scanner takes them for real ones. */
const hex = "0123456789abcdef";
const letters = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv";
const azureKey = `${letters}${letters}${letters.slice(0, 22)}`;
const discordBot = `M${letters.slice(0, 23)}.Gh4Ij5.${letters.slice(0, 27)}`;

/** What must be gone, in text as it comes along. */
const secrets: readonly (readonly [what: string, text: string, secret: string])[] = [
  ["our token", `use ${token}, please`, "AbCdEf0123456789"],
  ["our token, cut short", `x${token.slice(0, 14)}`, token.slice(9, 14)],
  ["an OpenAI key", "key is sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12", "Ab12Cd34"],
  ["an Anthropic key in JSON", '{"x":"sk-ant-api03-q1w2e3r4t5y6u7i8o9p0"}', "q1w2e3r4"],
  ["a Stripe key", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39Hq"],
  ["an AWS key id", "aws AKIAIOSFODNN7EXAMPLE here", "IOSFODNN7"],
  ["a GitHub token", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F"],
  ["a fine-grained GitHub token", "github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPq", "11ABCDEF"],
  ["a GitLab token", "glpat-abcDEF123456ghiJKL78", "abcDEF12"],
  ["a Slack token", "xoxb-123456789012-abcdefABCDEF", "123456789012"],
  ["a Google key", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "SyD-9tSr"],
  ["an npm token", "npm_abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijkl"],
  ["a JWT", `jwt ${jwt} end`, "eyJzdWIi"],
  ["a private key", `before\n${pem("MIIEpAIBAAKCAQEA")}\nafter`, "MIIEpAIB"],
  ["a private key, cut short", pem("MIIEpAIBAAKCAQEA").slice(0, 45), "MIIEpAIB"],
  ["a bearer token", "bearer hunter2", "hunter2"],
  ["an Authorization header", "Authorization: Bearer hunter2", "hunter2"],
  ["basic authorization", "authorization: Basic dXNlcjpw", "dXNlcjpw"],
  ["a Cookie header", "Cookie: sid=abcdef; theme=dark\nHost: x", "abcdef"],
  ["a Set-Cookie header", "set-cookie: session=hunter; HttpOnly", "hunter"],
  ["an address's token", "https://h/?token=correcthorse&x=1", "correcthorse"],
  ["an address's password", "postgres://me:hunter@db/sylk", "hunter"],
  ["a JSON field", '{"password":"hunter2"}', "hunter2"],
  ["a JSON field in a JSON string", '{\\"apiKey\\": \\"hunter2\\"}', "hunter2"],
  ["a quote inside it in a JSON string", JSON.stringify('{"password":"a \\" hunter2"}'), "hunter2"],
  ["a quote inside the secret", '{"password": "a \\" hunter2"}', "hunter2"],
  ["an assignment", "api_key = hunter2", "hunter2"],
  ["a YAML field", "api_key: q1w2e3r4", "q1w2e3r4"],
  ["a quoted assignment", "const secret = 'hunter2';", "hunter2"],
  ["a comparison", 'if (password === "hunter2")', "hunter2"],
  ["a pass phrase", "password='two hunter2'", "hunter2"],
  ["an environment file", "export DB_PASSWORD=correcthorse", "correcthorse"],
  ["an environment file, first line", "API_KEY=correcthorse\nX=1", "correcthorse"],
  ["a flag", "curl --api-key hunter22 https://h", "hunter22"],
  ["an AWS secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "wJalrXUt"],
  ["an Azure storage key", `AccountName=shop;AccountKey=${azureKey}==;EndpointSuffix=core.windows.net`, "Ab1Cd2Ef3"],
  ["an Azure storage key in JSON", `{"storageKey": "${azureKey}=="}`, "Ab1Cd2Ef3"],
  ["an Azure storage key of the newer kind", `it is ${azureKey.slice(0, 76)}+AStAb1Cd2==`, "Ab1Cd2Ef3"],
  ["an Azure Cosmos key", `COSMOS_PRIMARY_KEY=${azureKey}==`, "Ab1Cd2Ef3"],
  ["an Azure signature", `https://shop.blob.core.windows.net/c?sv=2026&sig=${letters}Ab1Cd2Ef3G%3D`, "Ab1Cd2Ef3"],
  ["an Azure application's secret", `it is Ab18Q~${letters.slice(0, 32)}~ now`, "Gh4Ij5"],
  ["a Twilio key", `SK${hex}${hex}`, hex],
  ["a SendGrid key", `SG.${letters.slice(0, 22)}.${letters}Ab1Cd2Ef3Gh`, "Gh4Ij5"],
  ["a DigitalOcean token", `dop_v1_${hex.repeat(4)}`, hex],
  ["a DigitalOcean refresh token", `dor_v1_${hex.repeat(4)}`, hex],
  ["a Discord bot's token", `login ${discordBot}!`, "Gh4Ij5"],
  ["a Discord webhook", `discord.com/api/webhooks/123456789012345678/${letters}${letters}`, "Gh4Ij5"],
  ["a Telegram bot's token", `bot 123456789:AA${letters}x`, "Gh4Ij5"],
  ["a Linear key", `lin_api_${letters}Ab1Cd2Ef`, "Gh4Ij5"],
  ["a PyPI token", `pypi-AgEIcHlwaS5vcmc${letters}${letters}`, "Gh4Ij5"],
  ["digits as a password", "password: 12345678", "12345678"],
];

/** What must stay as it is: ids, hashes, prose, and code that gets a secret without holding one. */
const harmless: readonly string[] = [
  "Unexpected token } in JSON",
  "fencingToken=5",
  "fencing_token: 1234567890",
  "tokens: 300",
  "token: 300",
  "maxTokens = 4096",
  "agt_123 reserved src/**",
  "http://127.0.0.1:7373/mcp",
  "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "commit f0ab2a4d9762af247d46be21260c5b7c60783f2a",
  "run_01jd8q3m7k4x9t2v5b8n1c is verified",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "password = readPassword()",
  "const token = tokens[0];",
  "password: string;",
  "type Login = { password: string, apiKey?: string }",
  "password: z.string().min(8)",
  "apiKey: process.env.OPENAI_API_KEY",
  "token={token}",
  "PASSWORD=$DB_PASSWORD",
  'password: "${password}"',
  'placeholder={"Enter your password: "}',
  'password: ""',
  "secret: null",
  "<input type=password name=token>",
  "this.token = token;",
  "the bearer token is missing",
  "a cookie: it is sweet",
  "postgres://${user}:${password}@db",
  "git@github.com:ada/shop.git",
  "sk-learn is a library",
  "task-1234567890123456789",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCC\n-----END CERTIFICATE-----",
  "passwords are hashed",
  "keyboard: qwerty12345",
  "if (token !== undefined) return token.value;",
  "(token) => token.kind === 'word'",
  "Authorization: ${header}",
  `"integrity": "sha512-${azureKey}=="`,
  `AccountKey=${letters}`,
  "AccountKey=<your key>",
  "https://h/?sig=short&x=1",
  "designsig=1",
  `AC${hex}${hex}`,
  `SK${hex}`,
  "SG.ships.sail",
  "dop_v1_ is the prefix",
  "com.example.Mnopqrstuvwxyzabcdefghij.module",
  "discord.com/api/webhooks/123456789012345678",
  "12345678:AAAA",
  "at 1234567890: AAb failed",
  "lin_api_ and lin_reg_coefficients",
  "pip install pypi-simple",
  "pypi-AgE",
];

describe("text", () => {
  it.each(secrets)("loses %s", (_, text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain("[redacted]");
  });

  it.each(harmless)("keeps %j", (text) => expect(redactText(text)).toBe(text));

  it("keeps everything around a secret, so that JSON stays JSON", () => {
    expect(redactText("https://h/?token=hunter2&x=1")).toBe("https://h/?token=[redacted]&x=1");
    expect(redactText(`before\n${pem("MII")}\nafter`)).toBe(
      "before\n-----BEGIN RSA PRIVATE KEY----- [redacted]\nafter",
    );
    const json = JSON.stringify({ user: "ada", password: "hunter2", nested: JSON.stringify({ apiKey: "q1w2e3" }) });
    const clean = JSON.parse(redactText(json)) as { nested: string };
    expect(clean).toMatchObject({ user: "ada", password: "[redacted]" });
    expect(JSON.parse(clean.nested)).toEqual({ apiKey: "[redacted]" });
  });

  it("that is clean stays as it is when it is cleaned again", () => {
    const piece = fc.oneof(
      fc.constantFrom(...secrets.map(([, text]) => text), ...harmless),
      fc.string({ maxLength: 6 }),
      fc.constantFrom("token", "password", "=", ": ", '"', "'", "\\", "\n", " ", "[redacted]", "://", "@", "bearer "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = redactText(pieces.join(""));
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no more than a moment, also when it is hostile", () => {
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
      "--token ",
      "-----BEGIN PRIVATE KEY-----",
      "sk-",
      "eyJ",
      "cookie:a=",
      "M.aaaaaa.",
      "accountkey",
      "storage-",
      "&sig=",
      "1234567890:",
      "Ab18Q~",
      "A+",
    ])
      redactText(unit.repeat(8192 / unit.length));
    expect(monotonic() - started).toBeLessThan(500);
  });
});

it("knows a secret by its name in any spelling", () => {
  expect(
    ["token", "TOKEN", "accessToken", "API_KEY", "x-api-key", "Authorization", "clientSecret", "set-cookie"].filter(
      (name) => !isSecretName(name),
    ),
  ).toEqual([]);
  expect(["fencingToken", "maxTokens", "secretary", "keyboard"].filter(isSecretName)).toEqual([]);
});

describe("a log", () => {
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

  it("redacts in errors, their stacks and causes, in names, in the event, and what is known by its value", () => {
    const { log, raw } = memoryLog({ redact: createRedactor("planted-key-42").text });
    log.error(`e ${token}`, { [token]: 1, error: new Error(`bad ${token}`, { cause: `${token} planted-key-42` }) });
    expect(raw[0]).not.toContain(token);
    expect(raw[0]).not.toContain("planted-key-42");
  });
});
