/**
 * The document thread: reads one document after the other. This very file is the thread's program.
 *
 *   startDocumentThread -> thread -> { id, request } -> text, HTML or PDF -> { id, document | reason }
 *
 * Loaded on demand only, so that a build gives it a file of its own; the libraries are loaded by the first page that needs one.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { messageOf } from "../../contract/index.ts";
import { type ReadDocument, type ReadRequest, readPlain } from "../../knowledge/sources/index.ts";

export type AskedDocument = { readonly id: number; readonly request: ReadRequest };
export type RepliedDocument = { readonly id: number } & (
  | { readonly document: ReadDocument }
  | { readonly reason: string }
);
type Given = { readonly sylkDocuments: true };

/** A document that needs more is one that no parser should be given. */
const heapMb = 512;

export function startDocumentThread(): Worker {
  return new Worker(new URL(import.meta.url), {
    workerData: { sylkDocuments: true } satisfies Given,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}

if (!isMainThread && isGiven(workerData)) serve();

function serve(): void {
  const port = parentPort!;
  port.on("message", ({ id, request }: AskedDocument) => {
    void read(request).then(
      (document) => port.postMessage({ id, document } satisfies RepliedDocument),
      (error: unknown) => port.postMessage({ id, reason: messageOf(error) } satisfies RepliedDocument),
    );
  });
}

async function read(request: ReadRequest): Promise<ReadDocument> {
  if (request.type === "html") return (await import("./read-html.ts")).readHtml(request);
  if (request.type === "pdf") return (await import("./read-pdf.ts")).readPdf(request);
  return readPlain(request);
}

function isGiven(data: unknown): data is Given {
  return typeof data === "object" && data !== null && "sylkDocuments" in data;
}
