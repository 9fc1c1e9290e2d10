/**
 * Standard input on its way to the protocol's library, line by line: what that would only complain about on standard error
 * is answered, so that no client waits for ever.
 *
 *   line -> message -> on to the library;   batch (old revisions) -> its messages;   anything else -> refusal
 */
import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { callbackify } from "node:util";
import { parseError, refusalOf, type Refusal } from "./check-message.ts";

/** More than any message of ours needs; a client that never ends its line must not fill our memory. */
const longestLine = 8 * 1_048_576;

type Terms = {
  readonly answer: (refusal: Refusal) => void;
  /** Waited for between the last line and the end, which the library takes as a reason to drop its answers. */
  readonly beforeEnd?: () => Promise<void>;
};

export function checkedLines({ answer, beforeEnd = () => Promise.resolve() }: Terms): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  /** What the client offered; before that as in the newest revision that begins with `initialize`. */
  let revision = "2025-11-25";

  /** The lines that the library reads instead of this one. */
  const linesFor = (line: string): readonly string[] => {
    const message = parsed(line);
    if (message === undefined) {
      answer(parseError("This line is not JSON; send one message per line"));
      return [];
    }
    const refusal = refusalOf(message, revision);
    if (refusal !== undefined) {
      answer(refusal);
      return [];
    }
    const { method, params } = message as { method?: string; params?: { protocolVersion?: string } };
    if (method === "initialize") revision = params?.protocolVersion ?? revision;
    return Array.isArray(message) ? message.map((member) => JSON.stringify(member)) : [line];
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop()!;
      if (rest.length > longestLine) {
        rest = "";
        answer(parseError(`This line is longer than ${longestLine} bytes; send smaller messages`));
      }
      const checked = lines.filter((line) => line.trim() !== "").flatMap(linesFor);
      done(null, checked.map((line) => `${line}\n`).join(""));
    },
    flush(done) {
      callbackify(beforeEnd)((failure) => done(failure));
    },
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
