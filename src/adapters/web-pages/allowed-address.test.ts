import { expect, it } from "vitest";
import { allowedAddress, readAllowed, refusePrivate } from "./allowed-address.ts";

const allowed = readAllowed("docs.example.com:443, 127.0.0.1:8080 [::1]:9000");
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "allowed";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it.each([
  ["https://docs.example.com/a", "allowed"],
  ["https://DOCS.example.com:443/a?x=1", "allowed"],
  ["http://127.0.0.1:8080/a", "allowed"],
  ["http://[::1]:9000/a", "allowed"],
  ["http://docs.example.com/a", "caller.denied"],
  ["https://docs.example.com:8443/a", "caller.denied"],
  ["https://evil.example/a", "caller.denied"],
  ["http://2130706433:8080/a", "allowed"], // the same address, as the parser of addresses reads it
  ["http://127.0.0.1:9999/a", "caller.denied"],
  ["https://user@docs.example.com/", "input.invalid"],
  ["ftp://docs.example.com/", "input.invalid"],
  ["nonsense", "input.invalid"],
])("%s: %s", (address, outcome) => expect(codeOf(() => allowedAddress(address, allowed))).toBe(outcome));

it.each<readonly [string, string]>([
  ["93.184.216.34", "allowed"],
  ["2606:2800:220:1:248:1893:25c8:1946", "allowed"],
  ...[
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
  ].map((address) => [address, "caller.denied"] as const),
  ...[
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "ff02::1",
  ].map((address) => [address, "caller.denied"] as const),
])("a name that leads to %s is %s", (address, outcome) => {
  expect(codeOf(() => refusePrivate(new URL("https://docs.example.com/"), address))).toBe(outcome);
});

it("an address that was named itself may be private", () => {
  expect(codeOf(() => refusePrivate(new URL("http://127.0.0.1:8080/"), "127.0.0.1"))).toBe("allowed");
});
