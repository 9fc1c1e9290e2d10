/**
 * Request and response over the bus: exactly one responder, one answer, one deadline.
 *
 *   ask(subject, request) -> bus -> respond's handler -> answer -> asker
 *                         \-> deadline: the handler is told to stop, the asker learns that time is up
 *
 * The asker's own signal stops the handler too, but the asker still waits for it until the deadline: a caller that cancels must
 * not clear away what the handler is about to put down.
 * Invariant: an ask always settles, once, and leaves no timer behind.
 */
import type { Clock } from "../clock/index.ts";
import { type Bus, createBus } from "./bus.ts";

export type Responder<Request, Response> = (request: Request, signal: AbortSignal) => Promise<Response>;
export type AskTerms = { readonly deadlineMs: number; readonly signal: AbortSignal };

export interface AskBus<Request, Response> {
  ask(subject: string, request: Request, terms: AskTerms): Promise<Response>;
  /** Returns the way to stop answering. */
  respond(pattern: string, responder: Responder<Request, Response>): () => void;
}

/** The deadline passed; the handler was told to stop. */
export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

/** A request needs one receiver, and this subject has none, or several. */
export class NoSingleResponder extends Error {
  override readonly name = "NoSingleResponder";
  readonly responders: number;
  constructor(subject: string, responders: number) {
    super(`${responders} answer "${subject}"; there must be one`);
    this.responders = responders;
  }
}

type Asked<Request, Response> = {
  readonly request: Request;
  readonly claims: Responder<Request, Response>[];
};

export function createAskBus<Request, Response>({ clock }: { readonly clock: Clock }): AskBus<Request, Response> {
  const bus: Bus<Asked<Request, Response>> = createBus({
    onSubscriberError: ({ error }) => {
      throw error;
    },
  });
  return {
    respond: (pattern, responder) => bus.subscribe(pattern, ({ claims }) => void claims.push(responder)),
    async ask(subject, request, { deadlineMs, signal }) {
      const claims: Responder<Request, Response>[] = [];
      bus.publish(subject, { request, claims });
      const [responder] = claims;
      if (responder === undefined || claims.length > 1) throw new NoSingleResponder(subject, claims.length);
      return answerInTime(responder, request, { clock, deadlineMs, signal, subject });
    },
  };
}

type Terms = {
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly subject: string;
};

function answerInTime<Request, Response>(
  responder: Responder<Request, Response>,
  request: Request,
  { clock, deadlineMs, signal, subject }: Terms,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const late = new AbortController();
    const expire = (): void => {
      const reason = new DeadlinePassed(`"${subject}" was not answered within ${deadlineMs} ms`);
      late.abort(reason);
      reject(reason);
    };
    const deadline = clock.after(deadlineMs, expire, { keepAlive: true });
    new Promise<Response>((answer) => answer(responder(request, AbortSignal.any([signal, late.signal]))))
      .then(resolve, reject)
      .finally(() => deadline.cancel());
  });
}
