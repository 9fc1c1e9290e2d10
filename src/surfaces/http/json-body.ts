/**
 * A request's body: JSON in UTF-8, and not nested so deeply that whoever walks it runs out of stack. The framework would
 * replace bytes that are not UTF-8 by question marks and store those.
 */
import type { FastifyInstance } from "fastify";
import { DomainError } from "../../contract/index.ts";

const deepest = 100;
const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    const text = decoded(bytes as Buffer);
    if (text === undefined) return done(malformed("is not UTF-8"));
    if (nestsTooDeeply(text)) return done(malformed(`is nested deeper than ${deepest} levels`));
    void parse(request, text, done);
  });
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of strings, one step per character whatever is sent; what is no JSON is the parser's business. */
function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === backslash) at++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (opening.has(character)) depth++;
    else if (closing.has(character)) depth--;
    if (depth > deepest) return true;
  }
  return false;
}

function malformed(reason: string): DomainError {
  return new DomainError("input.malformed", `The body ${reason}; send a JSON object in UTF-8`, { details: { reason } });
}
