/**
 * Loaded before a program (`node --import`), it writes down and refuses every connection, lookup and datagram that would
 * leave this machine. Whatever a library uses (fetch, http, tls, http2) goes through these few functions of Node.
 *
 *   SYLK_OUTBOUND_LOG names the file; the first line of a process says that it is watched.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { networkInterfaces } from "node:os";

export type Watched = { readonly pid: number; readonly watched: readonly string[] };
export type Attempt = { readonly pid: number; readonly kind: "connect" | "lookup" | "datagram"; readonly to: string };
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Those of this very process, for who has it loaded in a test. */
export const attempts: Attempt[] = [];

const log = process.env["SYLK_OUTBOUND_LOG"];
write({ pid: process.pid, watched: process.argv.slice(1) });

guard(net.Socket.prototype, "connect", "connect", (args) => {
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as readonly unknown[];
  if (typeof first === "object" && first !== null) {
    const { path, host = "localhost" } = first as { path?: string; host?: string };
    return path === undefined || path === null ? host : undefined;
  }
  const isPort = typeof first === "number" || /^\d+$/.test(String(first));
  return isPort ? (typeof second === "string" ? second : "localhost") : undefined;
});
for (const holder of [dns, dns.promises] as object[])
  for (const name of ["lookup", "lookupService", "resolve", "resolve4", "resolve6", "resolveAny", "reverse"])
    guard(holder, name, "lookup", ([host]) => String(host));
guard(dgram.Socket.prototype, "connect", "datagram", ([, host]) => (typeof host === "string" ? host : "localhost"));
guard(dgram.Socket.prototype, "send", "datagram", (args) => {
  const hosts = args.slice(1).filter((argument) => typeof argument === "string");
  return hosts.at(-1) ?? "localhost";
});
syncBuiltinESMExports(); // whoever imported a function by its name gets the guarded one

function guard(
  holder: object,
  name: string,
  kind: Attempt["kind"],
  hostIn: (args: unknown[]) => string | undefined,
): void {
  const functions = holder as Record<string, AnyFunction | undefined>;
  const original = functions[name];
  if (original === undefined) return;
  functions[name] = function guarded(this: unknown, ...args: unknown[]) {
    const to = hostIn(args);
    if (to === undefined || isHere(to)) return original.apply(this, args);
    const attempt: Attempt = { pid: process.pid, kind, to };
    attempts.push(attempt);
    write(attempt);
    throw Object.assign(new Error(`a ${kind} to ${to} would leave this machine`), { code: "ENETUNREACH" });
  };
}

/** Also its own addresses: what is sent there is answered here. */
function isHere(host: string): boolean {
  if (host === "" || host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host)) return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some(({ address }) => address === host);
}

function write(line: Attempt | Watched): void {
  if (log !== undefined) appendFileSync(log, `${JSON.stringify(line)}\n`);
}
