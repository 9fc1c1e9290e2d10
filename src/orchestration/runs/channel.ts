/**
 * Two processes call each other's methods over one channel.
 *
 *   call(method, input) -> frame -> the other side's method -> output, or its error with the same meaning
 *
 * Either side may stop waiting. This aborts the signal of the other side's method, and the call ends when that method has
 * ended. When the channel closes, every waiting call fails with the reason.
 */
import { errorOf, type Trouble, troubleOf } from "../executors/index.ts";

/** Input and output types by method. */
export type Methods = Readonly<Record<string, { readonly input: unknown; readonly output: unknown }>>;
export type Served<Own extends Methods> = {
  readonly [Name in keyof Own]: (input: Own[Name]["input"], signal: AbortSignal) => Promise<Own[Name]["output"]>;
};
export type Channel<Remote extends Methods> = {
  call<Name extends keyof Remote & string>(
    method: Name,
    input: Remote[Name]["input"],
    signal?: AbortSignal,
  ): Promise<Remote[Name]["output"]>;
  receive(frame: Frame): void;
  close(reason: Error): void;
};
export type Frame =
  | { readonly kind: "call"; readonly id: number; readonly method: string; readonly input: unknown }
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "done"; readonly id: number; readonly output: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly trouble: Trouble };

type Waiting = { readonly resolve: (output: unknown) => void; readonly reject: (error: unknown) => void };

export function createChannel<Remote extends Methods, Own extends Methods>(ports: {
  readonly send: (frame: Frame) => void;
  readonly serve: Served<Own>;
}): Channel<Remote> {
  const { send } = ports;
  const waiting = new Map<number, Waiting>();
  const served = new Map<number, AbortController>();
  let last = 0;
  let closed: Error | undefined;

  async function answer({ id, method, input }: Extract<Frame, { kind: "call" }>): Promise<void> {
    const controller = new AbortController();
    served.set(id, controller);
    try {
      const serve = ports.serve[method];
      if (serve === undefined) throw new Error(`unknown method ${method}`);
      const output = await serve(input, controller.signal);
      send({ kind: "done", id, output });
    } catch (error) {
      send({ kind: "failed", id, trouble: troubleOf(error) });
    } finally {
      served.delete(id);
    }
  }

  function settle(id: number, end: (call: Waiting) => void): void {
    const call = waiting.get(id);
    waiting.delete(id);
    if (call !== undefined) end(call);
  }

  return {
    call(method, input, signal) {
      if (closed !== undefined) return Promise.reject(closed);
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      const id = ++last;
      return new Promise((resolve, reject) => {
        const abort = (): void => send({ kind: "abort", id });
        const forget = (): void => signal?.removeEventListener("abort", abort);
        waiting.set(id, {
          resolve: (output) => (forget(), resolve(output)),
          reject: (error) => (forget(), reject((signal?.aborted === true ? signal.reason : error) as Error)),
        });
        signal?.addEventListener("abort", abort, { once: true });
        send({ kind: "call", id, method, input });
      });
    },
    receive(frame) {
      if (frame.kind === "call") void answer(frame);
      else if (frame.kind === "abort") served.get(frame.id)?.abort(new Error("the other side stopped waiting"));
      else if (frame.kind === "done") settle(frame.id, ({ resolve }) => resolve(frame.output));
      else settle(frame.id, ({ reject }) => reject(errorOf(frame.trouble)));
    },
    close(reason) {
      closed = reason;
      for (const id of waiting.keys()) settle(id, ({ reject }) => reject(reason));
      for (const controller of served.values()) controller.abort(reason);
    },
  };
}
