/**
 * Which addresses may be connected to: `host:port` pairs that the user named, and no private address unless it was named as
 * such. Pure; the fetcher asks before each request and again for the address that DNS gave.
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import { DomainError } from "../../contract/index.ts";

const longestAddress = 2_000;
const defaultPorts: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

const notPublic = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  notPublic.addSubnet(net, bits, "ipv4");
/** Of IPv6 only the global unicast range is public; what embeds an IPv4 address is judged by that one or refused. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
const embedding = new BlockList();
for (const [net, bits] of [
  ["2002::", 16],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["64:ff9b::", 96],
] as const)
  embedding.addSubnet(net, bits, "ipv6");

function isPrivate(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return isPrivate(mapped);
  if (isIPv6(plain)) return !globalUnicast.check(plain, "ipv6") || embedding.check(plain, "ipv6");
  return isIP(plain) === 4 ? notPublic.check(plain, "ipv4") : true;
}

export function readAllowed(setting: string): ReadonlySet<string> {
  return new Set(
    setting
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((entry) => entry.toLowerCase()),
  );
}

/** The address, if its host and port are named. */
export function allowedAddress(given: string, allowed: ReadonlySet<string>): URL {
  if (given.length > longestAddress || !URL.canParse(given)) throw invalid(given, "is not an address");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw invalid(given, "does not begin with https://");
  if (url.username !== "" || url.password !== "") throw invalid(given, "must not hold a user or a password");
  const pair = `${url.hostname.toLowerCase()}:${url.port || defaultPorts[url.protocol]!}`;
  if (allowed.has(pair)) return url;
  throw new DomainError(
    "caller.denied",
    allowed.size === 0
      ? `Sylk connects to no host unless you allow it: sylk config set knowledge.allowHosts "${pair}", then restart the daemon`
      : `${pair} is not among the hosts you allow (${[...allowed].join(", ")}); sylk config set knowledge.allowHosts changes them`,
    { details: { needed: `knowledge.allowHosts: ${pair}` } },
  );
}

/** Refuses the address that a name led to, unless the user wrote that very address. */
export function refusePrivate(url: URL, address: string): void {
  const isLiteral = isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0;
  if (isLiteral || !isPrivate(address)) return;
  throw new DomainError(
    "caller.denied",
    `${url.hostname} leads to ${address}, which is not a public address; name the address itself in knowledge.allowHosts to allow it`,
    { details: { needed: `knowledge.allowHosts: ${address}:${url.port || defaultPorts[url.protocol]!}` } },
  );
}

function invalid(given: string, message: string): DomainError {
  const sentence = `"${given.slice(0, 200)}" ${message}`;
  return new DomainError("input.invalid", sentence, { details: { problems: [{ path: "location", message }] } });
}
