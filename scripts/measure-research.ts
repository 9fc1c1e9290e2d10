/**
 * `npm run measure:research`: how well articles are found in pages, by both extractors, and how often a claim that counts as
 * supported is.
 */
import { Readability } from "@mozilla/readability";
import { DefuddleClass } from "defuddle/node";
import { parseHTML as parse } from "linkedom";
import { htmlText, type TreeElement } from "../src/adapters/documents/html-text.ts";
import { labelledPages, wordAgreement } from "../src/adapters/documents/testkit.ts";
import { judgeClaim } from "../src/knowledge/sources/judge-claim.ts";
import { labelledClaims, labelledSets } from "../src/knowledge/sources/testkit.ts";

type Page = { readonly body: TreeElement };
const parseHTML = parse as unknown as (html: string) => { readonly document: Page };
const textOf = (html: string): string => htmlText(parseHTML(`<html><body>${html}</body></html>`).document.body);
/** As the product does it: what is too short to be the article is not taken. */
const orWhole = (article: string, html: string): string => (article.length >= 80 ? article : wholePage(html));
const wholePage = (html: string): string => htmlText(parseHTML(html).document.body);
const extractors: Readonly<Record<string, (html: string) => string>> = {
  readability: (html) => textOf(new Readability(parseHTML(html).document).parse()?.content ?? ""),
  defuddle: (html) =>
    textOf(
      new DefuddleClass(parseHTML(html).document, {
        url: "https://docs.example.com/page",
        useAsync: false,
      }).parse().content,
    ),
  "whole page": wholePage,
};

console.log(`Articles: ${labelledPages.length} labelled pages, words of the article found and words found beside it`);
for (const [name, extract] of Object.entries(extractors)) {
  const startedAt = performance.now();
  const results = labelledPages.map(({ name: of, html, title, text }) => ({
    of,
    ...wordAgreement(orWhole(extract(html), html).replace(title, ""), text.join(" ")),
  }));
  const ms = performance.now() - startedAt;
  const mean = (key: "precision" | "recall" | "f1"): string =>
    (results.reduce((total, result) => total + result[key], 0) / results.length).toFixed(3);
  const worst = results.toSorted((a, b) => a.f1 - b.f1)[0]!;
  console.log(
    `${name.padEnd(12)} F1 ${mean("f1")}  precision ${mean("precision")}  recall ${mean("recall")}  ${Math.round(ms)} ms  worst ${worst.f1.toFixed(3)}: ${worst.of}`,
  );
}

for (const [name, claims] of [...Object.entries(labelledSets), ["all", labelledClaims] as const]) {
  const judged = claims.map(({ claim, source, isSaid }) => ({ isSaid, kind: judgeClaim(claim, source).kind }));
  const supported = judged.filter(({ kind }) => kind === "supported");
  const [right, said] = [supported.filter(({ isSaid }) => isSaid).length, judged.filter(({ isSaid }) => isSaid).length];
  console.log(
    `Claims (${name}): ${judged.length} labelled pairs, ${said} of them said by their source. Counted as supported: ${supported.length}, of which ${right} are said (precision ${(right / supported.length).toFixed(3)}, recall ${(right / said).toFixed(3)})`,
  );
}
