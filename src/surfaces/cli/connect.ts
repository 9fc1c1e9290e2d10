/**
 * A client for commands: agrees on a version, starts the daemon when none answers, and repeats the call with its key so
 * that nothing doubles. A daemon that is there and says nothing is named as such after a few seconds.
 */
import { DomainError } from "../../contract/errors.ts";
import type { ClientSession } from "../../contract/index.ts";
import { readUserToken, type HomePaths } from "../../platform/home/index.ts";
import { createClient, type SylkClient } from "../client/index.ts";
import { agreeOnVersion } from "./agree-on-version.ts";
import { ensureDaemon } from "./daemon-link.ts";
import { surroundingsOf } from "./surrounding-session.ts";
import { watchedTransport } from "./watched-transport.ts";

type Terms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: string;
  readonly actAs: string | undefined;
  readonly answerWithinMs?: number | undefined;
  readonly session?: ClientSession | undefined;
  /** A model's calls: they are never taken for the person's. */
  readonly overMcp?: boolean | undefined;
  /** What a person should know besides the answer. */
  readonly note?: (text: string) => void;
};

export async function connectToDaemon({
  paths,
  env,
  project,
  actAs,
  answerWithinMs,
  session,
  overMcp = false,
  note,
}: Terms): Promise<SylkClient> {
  const givenToken = env.SYLK_TOKEN || undefined;
  const link = { paths, env, note: once(note) };
  if (readUserToken(paths.token) === undefined) await ensureDaemon(paths, env, link);
  const userToken = readUserToken(paths.token);
  const token = givenToken ?? userToken;
  if (token === undefined)
    throw new DomainError("token.missing", `There is no token at ${paths.token}; "sylk down && sylk up" creates one`);
  const identity = {
    ...(givenToken === undefined
      ? { project, ...surroundingsOf(env, actAs, { told: session, withAncestors: overMcp }) }
      : // An agent's token already says which agent and project it is for.
        { actAs, ...(givenToken === userToken ? { project } : {}) }),
    ...(overMcp ? ({ needsAgent: givenToken === undefined ? "to-change" : "to-act" } as const) : {}),
  };
  const limit = answerWithinMs === undefined ? {} : { timeoutMs: answerWithinMs };
  const client = createClient({ transport: watchedTransport(paths, limit), token, ...identity });
  return {
    async call(name, input, { idempotencyKey = crypto.randomUUID() } = {}) {
      const attempt = () => client.call(name, input, { idempotencyKey });
      try {
        await agreeOnVersion(link); // each time: this process may live longer than the daemon it met first
        return await attempt();
      } catch (error) {
        if (answerWithinMs !== undefined && isSilent(error)) throw tooSlow(answerWithinMs, error);
        if (!isAbsent(error)) throw error;
        await ensureDaemon(paths, env, link);
        await agreeOnVersion(link);
        return attempt();
      }
    },
  };
}

function tooSlow(limitMs: number, cause: DomainError): DomainError {
  return new DomainError(
    "daemon.unreachable",
    `The daemon did not answer within ${limitMs / 1000} s: it or its store is busy. The result is unknown, not empty; try again, or run "sylk doctor"`,
    { details: { ...cause.details, limitMs }, retryAfterMs: limitMs, cause },
  );
}

function isSilent(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === "daemon.unreachable" && error.details.silent === true;
}

function isAbsent(error: unknown): boolean {
  return error instanceof DomainError && error.code === "daemon.unreachable" && error.details.silent !== true;
}

function once(note: ((text: string) => void) | undefined): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) note?.(text);
    said.add(text);
  };
}
