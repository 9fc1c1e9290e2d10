/** One page of the network as a source: an article, a paper, an RFC or plain text. */
import { DomainError, type SourceKind } from "../../contract/index.ts";
import type { Gathered } from "./gathered.ts";
import { typeOfMedia, typeOfName } from "./document-reader.ts";
import type { FetchedPage } from "./fetch-page.ts";
import type { SourcePorts } from "./ports.ts";

type Terms = Pick<SourcePorts, "reader" | "fetchPage"> & { readonly signal: AbortSignal };

export async function readPage(address: string, wanted: SourceKind | undefined, terms: Terms): Promise<Gathered> {
  const page = await terms.fetchPage.get(address, terms.signal);
  const document = await terms.reader.read({ ...page, type: typeOfPage(page) }, terms.signal);
  const found = document.isRfc ? "rfc" : typeOfPage(page) === "pdf" ? "paper" : "article";
  return {
    kind: wanted ?? found,
    location: page.location,
    title: document.title,
    documents: (async function* () {
      yield { location: page.location, document };
    })(),
  };
}

export function typeOfPage({ media, location }: Pick<FetchedPage, "media" | "location">) {
  const name = new URL(location).pathname;
  const byMedia = typeOfMedia(media);
  // Servers call Markdown and reStructuredText plain text.
  const byName = typeOfName(name);
  const type = byMedia === "text" && (byName === "markdown" || byName === "rst") ? byName : byMedia;
  if (type !== undefined) return type;
  throw new DomainError(
    "source.unreadable",
    `${location} is ${media || "of no named type"}; HTML, PDF, Markdown, reStructuredText and plain text can be read`,
    { details: { location, media } },
  );
}
