/** The long id behind a short word: a part of it, or a name. */
import * as z from "zod";
import { defineOperation } from "./define.ts";

/** Kinds of things that people name by their id. */
export const namedKinds = [
  "prj",
  "agt",
  "rsv",
  "wrk",
  "ses",
  "run",
  "dag",
  "apr",
  "fnd",
  "msg",
  "inc",
  "ver",
  "src",
] as const;
export type NamedKind = (typeof namedKinds)[number];

/** Shown of those that a word could mean. */
export const mostFound = 5;

export const FoundId = z.object({
  id: z.string(),
  title: z.string().describe("Its name, title, request or path"),
});
export type FoundId = Readonly<z.infer<typeof FoundId>>;

export const find = defineOperation({
  name: "id.find",
  summary: "Find the id that a part of it or a name stands for",
  http: "GET /v1/ids",
  actor: "anyone",
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(200)
      .describe("Start of an id with or without its type, four or more of its other characters, or a name"),
    kinds: z.array(z.enum(namedKinds)).max(namedKinds.length).default([]).describe("Only these; default: all"),
  }),
  output: z.object({
    items: z.array(FoundId).describe("Best matches, newest first; a single one is what is meant"),
    more: z.boolean().describe("Whether still more match"),
  }),
  errors: ["input.invalid"],
  example: { text: "01jd8q3m", kinds: ["wrk"] },
});
