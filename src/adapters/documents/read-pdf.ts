/** A PDF: its text page by page, each page under a heading of its number. Scripts and attachments of the file are not looked at. */
import { extractText, getDocumentProxy, getMeta } from "unpdf";
import { documentOf, type ReadDocument, type ReadRequest } from "../../knowledge/sources/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";

const mostPages = 2_000;

export async function readPdf({ bytes, location }: ReadRequest): Promise<ReadDocument> {
  if (!Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-")) throw new Error("it is not a PDF file");
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, verbosity: 0 });
  if (pdf.numPages > mostPages) throw new Error(`it has ${pdf.numPages} pages, more than ${mostPages}`);
  const { text: pages } = await extractText(pdf, { mergePages: false });
  const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }));
  await pdf.cleanup();
  const text = pages.map((page, index) => `# Page ${index + 1}\n\n${plainText(page).trim()}\n`).join("\n");
  if (text.replaceAll(/# Page \d+|\s/g, "") === "")
    throw new Error("it has no text, only pictures; recognise its text before it is added");
  const title = typeof info.Title === "string" ? plainText(info.Title).trim() : "";
  return documentOf(text, {
    title: title || firstLine(pages) || location,
    style: "markdown",
    publishedAt: dateOf(info.CreationDate),
    isRfc: false,
    damaged: text.split("\ufffd").length - 1,
    links: [],
  });
}

function firstLine(pages: readonly string[]): string | undefined {
  return pages[0]
    ?.split(/\n|(?<=[.!?])\s/)[0]
    ?.trim()
    .slice(0, 200);
}

/** As PDF writes it: D:20240131… */
function dateOf(value: unknown): number | undefined {
  const [, year, month, day] = (typeof value === "string" ? /^D:(\d{4})(\d{2})?(\d{2})?/.exec(value) : undefined) ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
}
