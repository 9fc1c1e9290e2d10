/**
 * Which repositories may be cloned: hosts that the user has named, each with the variable that holds its token, if any.
 *
 *   scan.hosts: "github.com git.example.com=WORK_TOKEN"     empty: none, no connection leaves this machine
 *
 * A credential is named by its variable and belongs to its host, so a model can neither read it nor send it elsewhere. Pure.
 */
import { DomainError, invalidInput } from "../../contract/index.ts";

export type AllowedHost = { readonly host: string; readonly variable?: string };
export type AllowedRemote = { readonly url: string; readonly host: string; readonly variable?: string };

export function readHosts(setting: string): readonly AllowedHost[] {
  return setting
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => {
      const [host = "", variable] = entry.split("=", 2);
      return { host: host.toLowerCase(), ...(variable === undefined ? {} : { variable }) };
    });
}

const longestUrl = 500;
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** `handle`: `env:` and the variable that scan.hosts names for the host. */
export function allowRemote(given: string, handle: string | undefined, hosts: readonly AllowedHost[]): AllowedRemote {
  const url = plainAddress(given);
  const known = hosts.find(({ host }) => host === url.host || host === url.hostname);
  if (known === undefined)
    throw new DomainError(
      "caller.denied",
      hosts.length === 0
        ? `Sylk connects to no host unless you allow it: sylk config set scan.hosts "${url.host}", then restart the daemon`
        : `${url.host} is not among the hosts you allow (${hosts.map(({ host }) => host).join(", ")}); sylk config set scan.hosts changes them`,
      { details: { needed: `scan.hosts: ${url.host}` } },
    );
  if (handle !== undefined && handle !== `env:${known.variable ?? ""}`)
    throw invalid("auth_token", `"${handle.slice(0, 60)}" is not the credential of ${known.host}${nameIt(known)}`);
  return { url: url.href, host: url.host, ...(handle === undefined ? {} : { variable: known.variable! }) };
}

function nameIt({ host, variable }: AllowedHost): string {
  const way = `name the variable that holds its token, not the token: sylk config set scan.hosts "${host}=WORK_TOKEN"`;
  return variable === undefined ? `; ${way}` : `; it is env:${variable}`;
}

/** Of https, or of http on this machine. git's own short forms and helpers (ext::, file:, -o) are not addresses. */
function plainAddress(given: string): URL {
  if (given.length > longestUrl || !/^https?:\/\/[a-z0-9[]/i.test(given) || /[\s\\\p{Cc}]/u.test(given))
    throw invalid("url", "is not an address that begins with https://");
  if (!URL.canParse(given)) throw invalid("url", "is not an address");
  const url = new URL(given);
  if (url.username !== "" || url.password !== "")
    throw invalid("url", "must not hold a user or a token; name the credential in auth_token");
  if (url.search !== "" || url.hash !== "") throw invalid("url", "must end with the repository's path");
  if (url.protocol === "http:" && !loopback.has(url.hostname)) throw invalid("url", "is not encrypted; use https://");
  return url;
}

function invalid(field: string, message: string): DomainError {
  return invalidInput(field, message, { sentence: `${field} ${message}` });
}
