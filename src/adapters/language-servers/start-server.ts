/**
 * One life of a server: from the start of its process to the end of its group, on record all the while.
 *
 *   find the program -> start, recorded -> initialize -> open … -> `ended`
 */
import type { EnclosedCommand, ProcessRecorder } from "../../orchestration/executors/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { ProgramTerms, RunningProgram } from "../processes/index.ts";
import type { ServerDefinition } from "./known-servers.ts";
import { type Connection, openConnection, type ServerLimits } from "./open-connection.ts";
import { createDocuments, type Documents } from "./open-documents.ts";
import { ServerFailure } from "./server-failure.ts";

export type StartPorts = {
  readonly clock: Clock;
  /** Where a program is; undefined: it is not installed. */
  readonly findProgram: (name: string) => string | undefined;
  readonly startProgram: (terms: ProgramTerms) => Promise<RunningProgram>;
  readonly processes: Pick<ProcessRecorder, "run">;
  /** How a server of this tree may run; asked before each start. */
  readonly enclosureOf: (tree: string) => Promise<Enclosure>;
  /** The variables that servers get. */
  readonly env: Readonly<Record<string, string>>;
};
/** A server reads a project's set-up, and some run code from it. */
export type Enclosure =
  | { readonly kind: "sandboxed"; readonly enclose: (command: EnclosedCommand) => EnclosedCommand }
  | { readonly kind: "open" }
  | { readonly kind: "refused"; readonly reason: string };
export type OpenServer = {
  readonly definition: ServerDefinition;
  /** Without links. */
  readonly tree: string;
  readonly connection: Connection;
  readonly documents: Documents;
};
export type ServerLife = {
  readonly opened: Promise<OpenServer>;
  /** Of its process, or of the attempt to start one. */
  readonly ended: Promise<{ readonly reason: string; readonly isAbsent: boolean }>;
  pid(): number | undefined;
  isSandboxed(): boolean;
  /** Ends it, whatever it is doing; resolves when its group is gone and forgotten. */
  stop(): Promise<void>;
};

const recordOwner = "language-servers";

export function startServer(
  definition: ServerDefinition,
  tree: string,
  ports: StartPorts & { readonly terms: ServerLimits & { readonly maxBytes: number } },
): ServerLife {
  const { clock, terms } = ports;
  const begun = Promise.withResolvers<RunningProgram>();
  let pid: number | undefined;
  let isSandboxed = false;
  let connection: Connection | undefined;
  let isStopped = false;

  const ended = run().then(
    (reason) => ({ reason, isAbsent: false }),
    (error: unknown) => {
      begun.reject(error);
      return { reason: messageOf(error), isAbsent: error instanceof ServerFailure };
    },
  );
  const opened = begun.promise.then(async (program): Promise<OpenServer> => {
    connection = await openConnection(program, tree, { ...definition, isSandboxed }, { clock, limits: terms });
    return { definition, tree, connection, documents: createDocuments(connection, tree, definition) };
  });
  opened.catch(() => {}); // told to those who ask

  async function run(): Promise<string> {
    const [name, ...args] = definition.argv;
    const place = ports.findProgram(name);
    if (place === undefined)
      throw new ServerFailure(`${name} is not installed; with it on the PATH answers are precise`, "absent");
    const enclosure = await ports.enclosureOf(tree);
    if (enclosure.kind === "refused") throw new ServerFailure(`${name} is not started: ${enclosure.reason}`, "absent");
    isSandboxed = enclosure.kind === "sandboxed";
    const plain = { argv: [place, ...args], cwd: tree, env: { ...ports.env, ...definition.env } } as const;
    const command = enclosure.kind === "sandboxed" ? enclosure.enclose(plain) : plain;
    return ports.processes.run(recordOwner, async (onStarted) => {
      const program = await ports.startProgram({ ...command, maxBytes: terms.maxBytes, onStarted });
      pid = program.identity.pid;
      begun.resolve(program);
      if (isStopped) await program.stop();
      const reason = await program.ended;
      await program.stop(); // what it left
      return reason;
    });
  }

  return {
    opened,
    ended,
    pid: () => pid,
    isSandboxed: () => isSandboxed,
    async stop() {
      isStopped = true;
      const program = await begun.promise.catch(() => undefined);
      await (connection?.stop() ?? program?.stop());
      await ended;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
