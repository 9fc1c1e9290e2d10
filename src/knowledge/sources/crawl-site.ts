/**
 * A documentation site, page by page: breadth first, one origin, below the folder of its first page, within limits.
 *
 *   first page -> links -> next pages, until pages, depth, bytes or time are used up; each limit is told
 */
import { DomainError, messageOf } from "../../contract/index.ts";
import type { FoundDocument, Gathered } from "./gathered.ts";
import type { SkippedFile } from "./collect-documents.ts";
import type { SourcePorts } from "./ports.ts";
import { typeOfPage } from "./read-page.ts";

type Terms = Pick<SourcePorts, "reader" | "fetchPage" | "clock"> & {
  readonly signal: AbortSignal;
  readonly skip: (skipped: SkippedFile) => void;
};
type Limits = { readonly pages: number; readonly depth: number };
type Waiting = { readonly address: string; readonly depth: number };

const mostBytes = 50 * 1024 * 1024;
const mostMs = 5 * 60_000;
const mostFailures = 25;
const notPages = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|zip|gz|tgz|mp4|webm|woff2?|ttf)$/i;

export async function crawlSite(first: string, limits: Limits, terms: Terms): Promise<Gathered> {
  return { kind: "documentation", location: first, documents: pagesOf(first, limits, terms) };
}

async function* pagesOf(first: string, { pages, depth }: Limits, terms: Terms): AsyncGenerator<FoundDocument> {
  const { fetchPage, reader, clock, signal, skip } = terms;
  const begin = addressOf(first, first);
  if (begin === undefined) throw new DomainError("input.invalid", `"${first}" is not an address`);
  const { origin, pathname } = new URL(begin);
  const below = pathname.replace(/[^/]*$/, "");
  const waiting: Waiting[] = [{ address: begin, depth: 0 }];
  const seen = new Set([begin]);
  const startedAt = clock.monotonic();
  let [taken, bytes, failures] = [0, 0, 0];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    signal.throwIfAborted();
    const limit = reached({ taken, pages, bytes, ms: clock.monotonic() - startedAt, failures });
    if (limit !== undefined) {
      skip({ location: next.address, reason: `${limit}; ${waiting.length + 1} pages are left` });
      return;
    }
    try {
      const page = await fetchPage.get(next.address, signal);
      if (new URL(page.location).origin !== origin) throw new Error(`it leads to ${new URL(page.location).origin}`);
      const document = await reader.read({ ...page, type: typeOfPage(page) }, signal);
      taken++;
      bytes += page.bytes.length;
      seen.add(page.location);
      for (const link of next.depth < depth ? document.links : []) {
        const address = addressOf(link, page.location);
        if (address === undefined || seen.has(address) || notPages.test(address)) continue;
        const found = new URL(address);
        if (found.origin !== origin || !found.pathname.startsWith(below)) continue;
        seen.add(address);
        waiting.push({ address, depth: next.depth + 1 });
      }
      yield { location: page.location, document };
    } catch (error) {
      if (signal.aborted || taken === 0) throw error;
      failures++;
      skip({ location: next.address, reason: messageOf(error) });
    }
  }
}

type Used = { taken: number; pages: number; bytes: number; ms: number; failures: number };

function reached({ taken, pages, bytes, ms, failures }: Used): string | undefined {
  if (taken >= pages) return `the limit of ${pages} pages is reached (--pages)`;
  if (bytes >= mostBytes) return `the limit of ${mostBytes} bytes is reached`;
  if (ms >= mostMs) return `the limit of ${mostMs / 60_000} minutes is reached`;
  return failures >= mostFailures ? `${mostFailures} pages could not be read` : undefined;
}

/** Without its part and its query: a trap makes endless ones. */
function addressOf(link: string, base: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined;
  const url = new URL(link, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  url.hash = "";
  url.search = "";
  return url.href;
}
