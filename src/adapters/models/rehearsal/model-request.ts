/**
 * A request as the scenario sees it, whatever protocol it came in.
 *
 *   wire/*: body -> said[] -> ModelRequest -> choose-turn -> Reply -> wire/*: body or stream
 */
import * as z from "zod";
import type { ReplyPart, Turn } from "./scenario.ts";

export type ModelRequest = {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly string[];
  /** How many answers the conversation holds so far. */
  readonly turn: number;
  /** Everything that users and tools said. */
  readonly heard: string;
  readonly lastToolResult: string | undefined;
};

/** One entry of a conversation; instructions and the like are `ignored`. */
export type Said = { readonly by: "user" | "tool" | "model" | "ignored"; readonly text: string };

export type Reply = {
  readonly id: string;
  readonly createdAt: number;
  readonly parts: readonly ReplyPart[];
  readonly usage: NonNullable<Turn["usage"]>;
  /** Tool inputs are to arrive broken. */
  readonly malformed: boolean;
};

export type Wire = {
  readonly path: string | RegExp;
  /** Throws what the schema finds. */
  read(body: unknown, path: string): ModelRequest;
  whole(reply: Reply): object;
  /** The frames of a server-sent event stream. */
  frames(reply: Reply): readonly string[];
  error(status: number, type: string, message: string): object;
};

export const rehearsalModel = "rehearsal";

/** Several entries of the model in a row, such as a text and two calls, are one answer. */
export function requestOf(
  {
    model,
    stream,
    tools,
  }: { readonly model: string; readonly stream?: boolean | undefined; readonly tools: readonly string[] },
  said: readonly Said[],
): ModelRequest {
  const plain = said.map(({ by, text }) => (by === "tool" ? withoutErrorFrame(text) : text));
  const heard = plain.filter((_, index) => said[index]?.by === "user" || said[index]?.by === "tool");
  return {
    model,
    stream: stream === true,
    tools,
    turn: said.filter(({ by }, index) => by === "model" && said[index - 1]?.by !== "model").length,
    heard: heard.join("\n"),
    lastToolResult: plain[said.findLastIndex(({ by }) => by === "tool")],
  };
}

/** OpenAI's clients send a tool's error as {"error": "…"}; a scenario is to read alike over every protocol. */
function withoutErrorFrame(text: string): string {
  if (!text.startsWith('{"error":"')) return text;
  try {
    const frame = JSON.parse(text) as { error: string };
    return Object.keys(frame).length === 1 ? frame.error : text;
  } catch {
    return text;
  }
}

/** Text, or parts of which some hold text: all three protocols write contents so. */
export const Content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n"),
  );

/** A tool's input as the model would write it; broken, it is the beginning of that. */
export function inputText(input: unknown, { malformed }: Reply): string {
  const text = JSON.stringify(input);
  return malformed ? `${text.slice(0, Math.max(1, Math.floor(text.length / 2)))}"` : text;
}

/** Texts come in pieces, so that a client that reads only the first piece is found out. */
export function pieces(text: string): readonly string[] {
  const length = Math.max(1, Math.ceil(text.length / 4));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
