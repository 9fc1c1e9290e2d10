/** Bytes of a document as text: by its mark, by what the server or the page says, else UTF-8. Bad bytes are counted, not fatal. */
import { plainText } from "../../platform/untrusted-text.ts";

export type DecodedText = { readonly text: string; readonly encoding: string; readonly damaged: number };

const marks = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
] as const;
/** As far as a page's own word is looked for. */
const headBytes = 2_048;

export function decodeText(bytes: Uint8Array, told?: string): DecodedText {
  const { text: decoded, encoding } = decode(bytes, told);
  const text = plainText(decoded);
  return { text, encoding, damaged: text.split("\ufffd").length - 1 };
}

function decode(bytes: Uint8Array, told: string | undefined): { readonly text: string; readonly encoding: string } {
  const mark = marks.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  for (const encoding of [mark?.encoding, told, saidInPage(bytes), "utf-8"]) {
    if (encoding === undefined) continue;
    try {
      return { text: new TextDecoder(encoding).decode(bytes), encoding: encoding.toLowerCase() };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // a name that no decoder has: the next one is tried
    }
  }
  throw new Error("UTF-8 has a decoder");
}

function saidInPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1");
  return /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1];
}
