/**
 * The operator's log: one JSON line for each fact, `{at, level, event, ...fields}`.
 *
 *   log.info("daemon.started", { port }) -> level -> child fields + fields -> loggable -> write(line)
 *
 * It is for people who look after a daemon; the truth about the work is the event log.
 * Invariant: no call throws, and no secret passes `write`.
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { loggable } from "./loggable.ts";
import { redactText } from "../redact/index.ts";

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];

/** As a function it is called only if the level is on. */
export type LogFields = Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>);

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** Gives the reference that the line carries as `ref`, to be named in the answer to the user. */
  error(event: string, fields?: LogFields): string;
  /** A log whose every line carries these fields too. */
  child(fields: Readonly<Record<string, unknown>>): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes one line without its line end. */
  readonly write: (line: string) => void;
  readonly clock: Pick<Clock, "now">;
  /** Sees every string in place of the rules for what looks like a secret, which it has to include. */
  readonly redact?: (text: string) => string;
}

export function createLog(options: LogOptions): Log {
  return logWith(options, {});
}

function logWith(options: LogOptions, inherited: Readonly<Record<string, unknown>>): Log {
  const { level: least, redact = redactText } = options;

  const say = (
    level: LogLevel,
    event: string,
    given: LogFields = {},
    extra: Readonly<Record<string, unknown>> = {},
  ) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return;
    try {
      const facts = loggable({ event, ...freeOfReserved({ ...inherited, ...fieldsOf(given) }), ...extra }, redact);
      options.write(JSON.stringify({ at: options.clock.now(), level, ...(facts as object) }));
    } catch {
      // There is no one left to tell: the caller reports a fact and must not fail over it. The file sink counts lost lines.
    }
  };

  return {
    debug: (event, fields) => say("debug", event, fields),
    info: (event, fields) => say("info", event, fields),
    warn: (event, fields) => say("warn", event, fields),
    error(event, fields) {
      const ref = `log_${randomBytes(6).toString("hex")}`;
      say("error", event, fields, { ref });
      return ref;
    },
    child: (fields) => logWith(options, { ...inherited, ...fieldsOf(fields) }),
  };
}

/** The line is worth writing even if its details cannot be built, or a getter among them throws. */
function fieldsOf(given: LogFields): Readonly<Record<string, unknown>> {
  try {
    return { ...(typeof given === "function" ? given() : given) };
  } catch (fieldsError) {
    return { fieldsError };
  }
}

const reserved: ReadonlySet<string> = new Set(["at", "level", "event", "ref"]);

/** A caller's field `level` becomes `level_`: neither it nor the line's own is lost. */
function freeOfReserved(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [reserved.has(name) ? `${name}_` : name, value]),
  );
}
