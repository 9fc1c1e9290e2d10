/**
 * Fetches one page of an allowed host.
 *
 *   address allowed? -> DNS -> every address public, or named itself? -> connect to the checked address -> redirect: all again
 *
 * No cookie, no credential, no cache. Bounded in redirects, time and bytes; an answer that is packed is not taken.
 */
import { lookup as lookUpName, type LookupAddress } from "node:dns";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { DomainError, messageOf } from "../../contract/index.ts";
import type { FetchedPage, FetchPage } from "../../knowledge/sources/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { allowedAddress, readAllowed, refusePrivate } from "./allowed-address.ts";

type Lookup = (
  name: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;
type Terms = {
  /** knowledge.allowHosts */
  readonly allowHosts: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly lookup?: Lookup;
};
type Answer = { readonly url: URL; readonly response: IncomingMessage };

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const accepted = "text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9";

export function createPageFetcher({ allowHosts, maxBytes, timeoutMs, clock, lookup = lookUpName }: Terms): FetchPage {
  const allowed = readAllowed(allowHosts);

  async function within<T>(address: string, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const timer = clock.after(timeoutMs, () => over.abort());
    try {
      return await work(AbortSignal.any([outer, over.signal]));
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const reason = over.signal.aborted
        ? `it took longer than ${timeoutMs} ms (knowledge.timeoutMs)`
        : messageOf(error);
      throw unreachable(address, reason, error);
    } finally {
      timer.cancel();
    }
  }

  async function follow(address: string, method: "GET" | "HEAD", signal: AbortSignal): Promise<Answer> {
    let url = allowedAddress(address, allowed);
    for (let turn = 0; turn <= mostRedirects; turn++) {
      const response = await send(url, method, signal);
      const { statusCode = 0, headers } = response;
      if (!redirects.has(statusCode) || headers.location === undefined) return { url, response };
      response.destroy();
      if (!URL.canParse(headers.location, url.href))
        throw unreachable(address, "it redirects to what is not an address");
      url = allowedAddress(new URL(headers.location, url).href, allowed);
    }
    throw unreachable(address, `it redirects more than ${mostRedirects} times`);
  }

  /** The connection goes to the address that was checked: a second answer of DNS cannot lead elsewhere. */
  function send(url: URL, method: "GET" | "HEAD", signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const options = {
        method,
        signal,
        agent: false,
        headers: { accept: accepted, "accept-encoding": "identity", "user-agent": "sylk" },
        lookup: checkedLookup(url, lookup) as never,
      } as const;
      const request = url.protocol === "https:" ? requestSecure(url, options) : requestPlain(url, options);
      request.on("response", resolve).on("error", reject).end();
    });
  }

  return {
    get: (address, outer) =>
      within(address, outer, async (signal) => {
        const { url, response } = await follow(address, "GET", signal);
        try {
          refuseFailure(address, response);
          return { location: url.href, ...mediaOf(response), bytes: await readBody(address, response, maxBytes) };
        } finally {
          response.destroy();
        }
      }),
    resolve: (address, outer) =>
      within(address, outer, () => {
        const url = allowedAddress(address, allowed);
        return new Promise<string>((resolve, reject) =>
          checkedLookup(url, lookup)(url.hostname.replace(/^\[|\]$/g, ""), {}, (error, found) =>
            error === null ? resolve(String(found)) : reject(error),
          ),
        );
      }),
    check: (address, outer) =>
      within(address, outer, async (signal) => {
        const { response } = await follow(address, "HEAD", signal);
        const { statusCode = 0 } = response;
        response.destroy();
        // Some servers do not know HEAD; that they answer is enough.
        if (statusCode >= 400 && ![403, 405, 501].includes(statusCode)) refuseFailure(address, response);
      }),
  };
}

function checkedLookup(url: URL, lookup: Lookup) {
  return (
    name: string,
    options: { readonly all?: boolean },
    done: (error: Error | null, ...found: unknown[]) => void,
  ) => {
    lookup(name, { all: true }, (error, addresses) => {
      if (error !== null) return done(error);
      try {
        for (const { address } of addresses) refusePrivate(url, address);
      } catch (refused) {
        return done(refused as Error);
      }
      const [first] = addresses;
      if (first === undefined) return done(new Error(`${name} has no address`));
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function refuseFailure(address: string, { statusCode = 0 }: IncomingMessage): void {
  if (statusCode < 200 || statusCode > 299) throw unreachable(address, `it answers with HTTP ${statusCode}`);
}

function mediaOf({ headers }: IncomingMessage): Pick<FetchedPage, "media" | "encoding"> {
  const media = headers["content-type"] ?? "";
  return { media, encoding: /charset\s*=\s*"?([\w-]{1,40})/i.exec(media)?.[1] };
}

async function readBody(address: string, response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const told = Number(response.headers["content-length"] ?? 0);
  const packed = response.headers["content-encoding"];
  if (packed !== undefined && packed !== "identity") throw unreachable(address, `it is packed by ${packed}, unasked`);
  const parts: Buffer[] = [];
  let bytes = 0;
  if (told > maxBytes) throw tooLarge(address, maxBytes);
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(address, maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(location: string, limit: number): DomainError {
  return new DomainError("source.unreadable", `${location} has more than ${limit} bytes (knowledge.maxBytes)`, {
    details: { location, limit },
  });
}

function unreachable(location: string, reason: string, cause?: unknown): DomainError {
  return new DomainError("source.unreachable", `${location} cannot be read: ${reason}`, {
    details: { location, reason },
    cause,
  });
}
