/**
 * An HTML page: its article as text. The page is parsed, never run: no script, no request, no style.
 *
 *   bytes -> text -> tree (linkedom) -> article (Readability) -> lines with headings, lists, tables and code
 *
 * Why these two: docs/decisions/0026-article-extractor.md.
 */
import { Readability } from "@mozilla/readability";
import { parseHTML as parse } from "linkedom";
import { decodeText, documentOf, type ReadDocument, type ReadRequest } from "../../knowledge/sources/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { htmlText, isHidden, type TreeElement } from "./html-text.ts";

type Page = {
  readonly documentElement: TreeElement;
  readonly title: string;
  querySelectorAll(selector: string): Iterable<TreeElement & { remove(): void }>;
};

const mostLinks = 2_000;
const mostElements = 200_000;
const mostDepth = 100;
/** Less than this is not an article that the extractor found; then the whole page counts. */
const fewestLetters = 80;
/** Its own types need those of a browser. */
const parseHTML = parse as unknown as (html: string) => { readonly document: Page };

export function readHtml({ bytes, location, encoding }: ReadRequest): ReadDocument {
  const { text: html, damaged, encoding: used } = decodeText(bytes, encoding);
  const { document } = parseHTML(whole(html));
  removeHidden(document);
  const links = linksOf(document, location);
  const [ownTitle, wholeText] = [document.title, htmlText(document.documentElement)];
  const found = isTooDeep(document.documentElement)
    ? undefined
    : new Readability(document, { maxElemsToParse: mostElements }).parse();
  const article = htmlText(parseHTML(whole(found?.content ?? "")).document.documentElement);
  const publishedAt = Date.parse(found?.publishedTime ?? "");
  return documentOf(article.replaceAll(/\s/g, "").length >= fewestLetters ? article : wholeText, {
    title: plainText(found?.title ?? ownTitle).trim() || undefined,
    style: "markdown",
    publishedAt: Number.isNaN(publishedAt) ? undefined : publishedAt,
    isRfc: false,
    damaged,
    encoding: used,
    links,
  });
}

/** Before the extractor, which takes away the styles that hide. */
function removeHidden(page: Page): void {
  for (const element of page.querySelectorAll("[style], [hidden], [aria-hidden]"))
    if (isHidden(element)) element.remove();
}

/** The extractor's time grows with the cube of the depth; no article is that deep. */
function isTooDeep(root: TreeElement): boolean {
  let level: readonly TreeElement[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) return true;
    level = level.flatMap(({ children }) => [...children]);
  }
  return false;
}

/** A part of a page has no body. */
function whole(html: string): string {
  if (/<html[\s>]/i.test(html)) return html;
  return /<body[\s>]/i.test(html) ? `<html>${html}</html>` : `<html><body>${html}</body></html>`;
}

function linksOf(document: Page, location: string): readonly string[] {
  const found = new Set<string>();
  for (const anchor of document.querySelectorAll("a[href]")) {
    const href = anchor.getAttribute("href") ?? "";
    if (URL.canParse(href, location)) found.add(new URL(href, location).href);
    if (found.size >= mostLinks) break;
  }
  return [...found];
}
