/** A client for commands: starts the daemon when nobody answers, and repeats the call with its key so that nothing doubles. */
import { DomainError } from "../../contract/errors.ts";
import type { ClientSession } from "../../contract/index.ts";
import { readUserToken, type HomePaths } from "../../platform/home/index.ts";
import { createClient, socketTransport, type SylkClient } from "../client/index.ts";
import { ensureDaemon } from "./daemon-link.ts";
import { surroundingsOf } from "./surrounding-session.ts";

type Terms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: string;
  readonly actAs: string | undefined;
  readonly session?: ClientSession;
  readonly answerWithinMs?: number;
};

export async function connectToDaemon(terms: Terms): Promise<SylkClient> {
  const { paths, env, project, actAs, session, answerWithinMs } = terms;
  const agentToken = env.SYLK_TOKEN || undefined;
  if (readUserToken(paths.token) === undefined) await ensureDaemon(paths, env);
  const token = agentToken ?? readUserToken(paths.token);
  if (token === undefined)
    throw new DomainError("token.missing", `There is no token at ${paths.token}; "sylk down && sylk up" makes one`);
  // An agent's token already says which agent and project it is for.
  const identity = agentToken === undefined ? { project, ...surroundingsOf(env, actAs, session) } : { actAs };
  const limit = answerWithinMs === undefined ? {} : { timeoutMs: answerWithinMs };
  const client = createClient({ transport: socketTransport(paths.socket, limit), token, ...identity });
  return {
    async call(name, input, { idempotencyKey = crypto.randomUUID() } = {}) {
      try {
        return await client.call(name, input, { idempotencyKey });
      } catch (error) {
        if (!(error instanceof DomainError && error.code === "daemon.unreachable")) throw error;
        if (answerWithinMs !== undefined && error.details.timedOut === true) throw tooSlow(answerWithinMs, error);
        await ensureDaemon(paths, env);
        return client.call(name, input, { idempotencyKey });
      }
    },
  };
}

function tooSlow(limitMs: number, cause: DomainError): DomainError {
  return new DomainError(
    "daemon.unreachable",
    `The daemon has not answered within ${limitMs / 1000} s: it or its store is busy. So this is unknown, not empty; try again, or run "sylk doctor"`,
    { details: { ...cause.details, limitMs }, retryAfterMs: limitMs, cause },
  );
}
