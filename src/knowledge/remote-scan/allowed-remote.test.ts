import { describe, expect, it } from "vitest";
import { allowRemote, readHosts } from "./allowed-remote.ts";

const hosts = readHosts("github.com, git.example.com=WORK_TOKEN 127.0.0.1:8123");
const refused = (url: string, handle?: string) => {
  try {
    return allowRemote(url, handle, hosts);
  } catch (error) {
    return error as { code: string; message: string };
  }
};

it("a host that the user named is allowed, by its name or its name and port", () => {
  expect(allowRemote("https://github.com/owner/name", undefined, hosts)).toEqual({
    url: "https://github.com/owner/name",
    host: "github.com",
  });
  expect(allowRemote("http://127.0.0.1:8123/shop.git", undefined, hosts).host).toBe("127.0.0.1:8123");
  expect(allowRemote("https://GIT.example.com/a", "env:WORK_TOKEN", hosts).variable).toBe("WORK_TOKEN");
});

it("without a setting no host is, and the refusal says what to type", () => {
  expect(() => allowRemote("https://github.com/a/b", undefined, readHosts(""))).toThrow(
    'sylk config set scan.hosts "github.com"',
  );
  expect(refused("https://evil.example/a")).toMatchObject({ code: "caller.denied" });
  expect(refused("http://127.0.0.1:9999/a")).toMatchObject({ code: "caller.denied" });
});

describe("an address is refused", () => {
  it.each([
    "ext::sh -c touch% /tmp/pwned",
    "--upload-pack=touch /tmp/pwned",
    "-oProxyCommand=x",
    "file:///etc",
    "/etc",
    "git://github.com/a",
    "ssh://github.com/a",
    "git@github.com:a/b",
    "https://-oProxyCommand=x/a",
    "http://github.com/a",
    "https://user:secret@github.com/a",
    "https://token@github.com/a",
    "https://github.com/a?x=--upload-pack",
    "https://github.com/a b",
    "https://github.com/a\n--upload-pack=x",
    `https://github.com/${"a".repeat(500)}`,
    "",
  ])("%j", (url) => expect(refused(url)).toMatchObject({ code: "input.invalid" }));
});

it("a credential is a name that belongs to one host: a token, another host's name and an unknown one are refused", () => {
  for (const [url, handle] of [
    ["https://github.com/a/b", "env:WORK_TOKEN"],
    ["https://github.com/a/b", "env:ANTHROPIC_API_KEY"],
    ["https://git.example.com/a", "ghp_0123456789"],
  ] as const)
    expect(refused(url, handle)).toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("auth_token"),
    });
});
