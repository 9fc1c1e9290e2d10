/** The test's side of client-process.ts. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Agent, InputOf, OperationName, OutputOf } from "../../src/contract/index.ts";
import { killAndWait } from "../flows/processes.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";
import type { ClientPlan, Said } from "./client-process.ts";

export type RemoteClient = {
  readonly agent: Agent;
  /** Told at once; made when the process runs. Refused ones reject with their code. */
  call<Name extends OperationName>(operation: Name, input: Partial<InputOf<Name>>): Promise<OutputOf<Name>>;
  write(path: string, content: string): Promise<unknown>;
  stop(): void;
  resume(): void;
  kill(): Promise<void>;
};

class Refused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ended with the daemon's scratch folder: it carries its SYLK_HOME. */
export async function openClient(daemon: ScratchDaemon, name: string): Promise<RemoteClient> {
  const { agent, token } = await daemon.register(name);
  const plan: ClientPlan = { socket: daemon.paths.socket, token, tree: daemon.repository, name };
  const child = fork(join(import.meta.dirname, "client-process.ts"), [JSON.stringify(plan)], {
    execArgv: [],
    env: daemon.env,
  });
  await once(child, "message");
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  child.on("message", ({ id, answer, code, message }: Said) => {
    const call = open.get(id)!;
    if (code === undefined) call.resolve(answer);
    else call.reject(new Refused(code, message!));
  });
  child.on("exit", () => {
    for (const call of open.values()) call.reject(new Refused("process.ended", `${name} has ended`));
  });
  let calls = 0;
  function tell(what: object): Promise<unknown> {
    const call = Promise.withResolvers<unknown>();
    call.promise.catch(() => {}); // whoever awaits it later still sees the refusal
    open.set(++calls, call);
    child.send({ id: calls, ...what });
    return call.promise;
  }
  return {
    agent,
    call: (operation, input) => tell({ operation, input }) as never,
    write: (path, content) => tell({ write: { path, content } }),
    stop: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: () => killAndWait(child.pid!),
  };
}
