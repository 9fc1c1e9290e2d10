/** An operation and its input as a person would type them. */
import type { OperationName } from "../../src/contract/index.ts";

type Fields = Readonly<Record<string, unknown>>;
type Typed = { readonly words: string; readonly positional?: readonly string[] };

const commands: Readonly<Record<OperationName, Typed>> = {
  "agent.register": { words: "agent register" },
  "agent.list": { words: "who" },
  "agent.get": { words: "agent show", positional: ["id"] },
  "agent.heartbeat": { words: "agent heartbeat", positional: ["id"] },
  "agent.end": { words: "agent end", positional: ["id"] },
  "reservation.acquire": { words: "reserve", positional: ["paths"] },
  "reservation.list": { words: "reservations" },
  "reservation.renew": { words: "renew", positional: ["id"] },
  "reservation.release": { words: "free", positional: ["id"] },
  "work-item.create": { words: "work add", positional: ["title"] },
  "work-item.list": { words: "work list" },
  "work-item.ready": { words: "ready" },
  "work-item.get": { words: "work show", positional: ["id"] },
  "work-item.claim": { words: "claim", positional: ["id"] },
  "work-item.unclaim": { words: "unclaim", positional: ["id"] },
  "work-item.release": { words: "release", positional: ["id"] },
  "work-item.close": { words: "close", positional: ["id"] },
  "event.list": { words: "events" },
  "daemon.status": { words: "status" },
  "daemon.stop": { words: "down" },
};

export function commandFor(name: OperationName, input: Fields): readonly string[] {
  const { words, positional = [] } = commands[name];
  const typed = positional.flatMap((field) => textsOf(input[field]));
  const flags = Object.entries(input).filter(([field]) => !positional.includes(field));
  return [...words.split(" "), ...typed, ...flags.flatMap(flagOf)];
}

function flagOf([field, value]: [string, unknown]): readonly string[] {
  if (field === "project") return ["--project", (value as { path: string }).path];
  const name = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [`--${name}`, ...textsOf(value)];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
