/**
 * A request's body: JSON in UTF-8, not compressed, each field once, and not nested so deeply that a walk through it runs
 * out of stack. The framework would replace bytes that are not UTF-8 by question marks, take the last of two fields, and
 * the store would change half a character into another one: what is kept must be what was sent.
 *
 *   bytes -> encoding -> UTF-8 -> depth -> JSON -> each name once, whole characters
 */
import type { FastifyInstance } from "fastify";
import { DomainError } from "../../contract/index.ts";

const deepest = 100;
const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    const encoding = request.headers["content-encoding"] ?? "identity";
    if (encoding !== "identity") return done(compressed(encoding));
    const text = decoded(bytes as Buffer);
    if (text === undefined) return done(malformed("is not UTF-8"));
    const { depth, names } = shapeOf(text);
    if (depth > deepest) return done(malformed(`is nested deeper than ${deepest} levels`));
    void parse(request, text, (error, value) => {
      if (error !== null) return done(error);
      const found = namesIn(value);
      if (found === undefined) return done(malformed("holds half a character (a lone surrogate)"));
      done(found === names ? null : malformed("names a field twice"), value);
    });
  });
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Brackets and colons outside of strings, one step per character whatever is sent; the parser refuses what is not JSON. */
function shapeOf(text: string): { readonly depth: number; readonly names: number } {
  let [depth, names] = [0, 0];
  let inString = false;
  for (let at = 0; at < text.length && depth <= deepest; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === backslash) at++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === colon) names++;
    else if (opening.has(character)) depth++;
    else if (closing.has(character)) depth--;
  }
  return { depth, names };
}

/** How many names the objects of a value have: fewer than were written when one was written twice. Undefined for torn text. */
function namesIn(value: unknown): number | undefined {
  if (typeof value === "string") return value.isWellFormed() ? 0 : undefined;
  if (typeof value !== "object" || value === null) return 0;
  let names = 0;
  for (const [name, member] of Object.entries(value)) {
    const inside = namesIn(member);
    if (inside === undefined || !name.isWellFormed()) return undefined;
    names += inside + (Array.isArray(value) ? 0 : 1);
  }
  return names;
}

function malformed(reason: string): DomainError {
  return new DomainError("input.malformed", `The body ${reason}; send a JSON object in UTF-8`, { details: { reason } });
}

function compressed(contentEncoding: string): DomainError {
  return new DomainError("input.unsupported-type", "The body is compressed; send it uncompressed", {
    details: { contentEncoding },
  });
}
