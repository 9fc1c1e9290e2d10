/**
 * Reads the messages of a server from its output. What comes is hostile: a head that does not end, a length that no memory
 * has, a body that is not JSON each end the reading with one error, and nothing more is kept.
 *
 *   "Content-Length: 12\r\n\r\n" + 12 bytes of JSON, again and again
 */
import type { Readable } from "node:stream";
import { AbstractMessageReader, type DataCallback, type Disposable, type Message } from "vscode-jsonrpc/node";

const maxHeadBytes = 1_024;
const end = "\r\n\r\n";

export class BoundedMessageReader extends AbstractMessageReader {
  readonly #source: Readable;
  readonly #maxBytes: number;
  /** What came and is not read yet; joined only once a whole message is there. */
  #chunks: Buffer[] = [];
  #size = 0;
  #bodyLength: number | undefined;

  constructor(source: Readable, maxBytes: number) {
    super();
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer): void => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      try {
        for (let message = this.#next(); message !== undefined; message = this.#next()) callback(message);
      } catch (error) {
        this.#source.off("data", onData);
        this.#chunks = [];
        this.#source.resume(); // the rest is thrown away until it ends
        this.fireError(error);
      }
    };
    this.#source.on("data", onData);
    this.#source.on("error", (error) => this.fireError(error));
    this.#source.on("close", () => this.fireClose());
    return { dispose: () => void this.#source.off("data", onData) };
  }

  #next(): Message | undefined {
    this.#bodyLength ??= this.#head();
    if (this.#bodyLength === undefined || this.#size < this.#bodyLength) return undefined;
    const body = this.#take(this.#bodyLength).toString("utf8");
    this.#bodyLength = undefined;
    const message: unknown = parsed(body);
    if (typeof message !== "object" || message === null || !("jsonrpc" in message))
      throw new Error("it sent something that is not a message of the protocol");
    return message as Message;
  }

  #head(): number | undefined {
    const first = this.#joined();
    const length = first.subarray(0, maxHeadBytes).indexOf(end);
    if (length < 0) {
      if (first.length >= maxHeadBytes) throw new Error("it sent something that is not a message of the protocol");
      return undefined;
    }
    const head = this.#take(length + end.length).toString("latin1");
    const said = /^content-length: *(\d{1,15})\r$/im.exec(head)?.[1];
    if (said === undefined) throw new Error("it sent a message without a length");
    if (Number(said) > this.#maxBytes)
      throw new Error(`it sent a message of ${said} bytes, and ${this.#maxBytes} are allowed`);
    return Number(said);
  }

  #joined(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #take(length: number): Buffer {
    const all = this.#joined();
    this.#chunks = [all.subarray(length)];
    this.#size -= length;
    return all.subarray(0, length);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it sent a message that is not JSON");
  }
}
