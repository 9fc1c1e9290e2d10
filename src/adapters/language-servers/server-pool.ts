/**
 * The servers that run: one for each tree and server program, shared by all sessions.
 *
 *   question -> runs? -> use it                          -> idle for 10 minutes -> ended
 *            -> else start it                            -> ends by itself -> left alone for a while -> started again
 *
 * Invariant: a server that cannot be used is a ServerFailure with the reason; it never looks like one that found nothing.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileChange } from "../../knowledge/code-index/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { afterCrash, type RestartTerms } from "./decide-restart.ts";
import type { ServerDefinition } from "./known-servers.ts";
import type { ServerLimits } from "./open-connection.ts";
import { ServerFailure } from "./server-failure.ts";
import { type OpenServer, type ServerLife, startServer, type StartPorts } from "./start-server.ts";

export type PoolTerms = ServerLimits &
  RestartTerms & {
    readonly idleMs: number;
    /** Servers that run at once; the one that was idle for longest makes room. */
    readonly mostServers: number;
    /** Memory of a server with all it starts. */
    readonly maxBytes: number;
    /** Questions in a row without an answer after which a server counts as hung and is ended. */
    readonly mostTimeouts: number;
  };
export type PoolPorts = StartPorts & {
  readonly terms: PoolTerms;
  readonly onCrash?: (server: string, tree: string, reason: string) => void;
};
export type ServerState = {
  readonly server: string;
  readonly tree: string;
  /** waiting: it ended by itself and is not started again yet; given-up: that happened too often. */
  readonly state: "starting" | "running" | "waiting" | "given-up" | "ended";
  readonly pid?: number;
  /** Of one that runs: without network, the tree read-only. */
  readonly sandboxed?: boolean;
  readonly startedAt?: number;
  readonly questions: number;
  readonly crashes: number;
  readonly lastFailure?: string;
  /** How long it is left alone yet. */
  readonly retryInMs?: number;
};

type Life = {
  readonly of: ServerLife;
  readonly startedAt: number;
  readonly beganAt: number;
  /** After its end was entered into the slot. */
  readonly noted: Promise<void>;
  isOpen: boolean;
};
type Slot = {
  readonly definition: ServerDefinition;
  readonly tree: string;
  life: Life | undefined;
  /** The end of the last process, so that two never run at once. */
  ending: Promise<void>;
  inUse: number;
  usedAt: number;
  idle: Timer | undefined;
  questions: number;
  timeouts: number;
  crashes: number;
  isGivenUp: boolean;
  notBefore: number;
  lastFailure: string | undefined;
};

/** As the protocol counts them. */
const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;

export function createServerPool(ports: PoolPorts) {
  const { clock, terms } = ports;
  const slots = new Map<string, Slot>();
  let isClosed = false;

  function slotOf(definition: ServerDefinition, tree: string): Slot {
    const key = keyOf(definition, tree);
    let slot = slots.get(key);
    if (slot === undefined) slots.set(key, (slot = newSlot(definition, tree, clock.monotonic())));
    return slot;
  }

  /** The one process of the slot; starts it where none runs. */
  async function open(slot: Slot): Promise<OpenServer> {
    if (slot.life === undefined) {
      refuseWaiting(slot);
      await slot.ending;
      await makeRoom(slot);
    }
    if (isClosed) throw new ServerFailure("the daemon is stopping");
    const life = (slot.life ??= begin(slot));
    const server = await life.of.opened;
    life.isOpen = true;
    return server;
  }

  function begin(slot: Slot): Life {
    const { definition, tree } = slot;
    const of = startServer(definition, tree, ports);
    const life: Life = {
      of,
      startedAt: clock.now(),
      beganAt: clock.monotonic(),
      isOpen: false,
      noted: of.ended.then((end) => {
        if (slot.life !== life) return; // it was ended on purpose
        slot.life = undefined;
        slot.idle?.cancel();
        if (!end.isAbsent) noteCrash(slot, end.reason, life.beganAt);
      }),
    };
    return life;
  }

  function noteCrash(slot: Slot, reason: string, beganAt: number): void {
    const { crashes, waitMs, isGivenUp } = afterCrash(slot.crashes, clock.monotonic() - beganAt, terms);
    Object.assign(slot, {
      crashes,
      isGivenUp,
      lastFailure: reason,
      notBefore: clock.monotonic() + waitMs,
      timeouts: 0,
    });
    ports.onCrash?.(slot.definition.name, slot.tree, reason);
  }

  function refuseWaiting({ definition: { name }, notBefore, crashes, lastFailure, isGivenUp }: Slot): void {
    const waitMs = notBefore - clock.monotonic();
    if (waitMs <= 0) return;
    const how = isGivenUp ? `${crashes} times in a row` : "by itself";
    const again = `it is not started again for ${Math.ceil(waitMs / 1_000)} s`;
    throw new ServerFailure(`${name} ended ${how} (${lastFailure ?? "unknown"}); ${again}`);
  }

  function end(slot: Slot): Promise<void> {
    const { life } = slot;
    slot.life = undefined;
    slot.idle?.cancel();
    if (life !== undefined) slot.ending = life.of.stop();
    return slot.ending;
  }

  async function makeRoom(wanted: Slot): Promise<void> {
    const running = [...slots.values()].filter((slot) => slot !== wanted && slot.life !== undefined);
    if (running.length < terms.mostServers) return;
    const [oldest] = running.filter(({ inUse }) => inUse === 0).sort((a, b) => a.usedAt - b.usedAt);
    if (oldest === undefined)
      throw new ServerFailure(`${running.length} language servers are in use, which is the limit; ask again later`);
    await end(oldest);
  }

  async function onFailed(slot: Slot, error: unknown): Promise<void> {
    if (!(error instanceof ServerFailure)) return;
    const { life } = slot;
    if (error.kind === "ended" || error.kind === "absent") await life?.noted;
    if (error.kind !== "late") return;
    if (++slot.timeouts < terms.mostTimeouts || life === undefined) return;
    await end(slot);
    noteCrash(slot, `${slot.timeouts} questions in a row were not answered in time`, life.beganAt);
  }

  function onDone(slot: Slot): void {
    slot.inUse -= 1;
    slot.usedAt = clock.monotonic();
    slot.idle?.cancel();
    if (slot.inUse > 0 || slot.life === undefined) return;
    slot.idle = clock.after(terms.idleMs, () => {
      if (slot.inUse > 0) return;
      Object.assign(slot, { crashes: 0, lastFailure: undefined }); // it worked until it was not needed
      void end(slot);
    });
  }

  return {
    /** Runs a question on the one server of the tree; it is not idle meanwhile. */
    async use<T>(
      definition: ServerDefinition,
      folder: string,
      question: (server: OpenServer) => Promise<T>,
    ): Promise<T> {
      const slot = slotOf(definition, await realpath(folder));
      slot.inUse += 1;
      try {
        const server = await open(slot);
        slot.questions += 1;
        const answer = await question(server);
        slot.timeouts = 0;
        return answer;
      } catch (error) {
        await onFailed(slot, error);
        throw error;
      } finally {
        onDone(slot);
      }
    },
    async isRunning(definition: ServerDefinition, folder: string): Promise<boolean> {
      return slots.get(keyOf(definition, await realpath(folder)))?.life?.isOpen ?? false;
    },
    /** Those that run, ran or were tried. */
    list: (): readonly ServerState[] =>
      [...slots.values()]
        .filter(({ life, questions, crashes }) => life !== undefined || questions + crashes > 0)
        .map((slot) => stateOf(slot, clock.monotonic())),
    filesChanged(tree: string, changed: readonly FileChange[]): void {
      const lives = [...slots.values()].flatMap(({ tree: its, life }) => (its === tree ? (life ?? []) : []));
      if (lives.length === 0) return;
      const uriOf = (path: string): string => pathToFileURL(join(tree, path)).href;
      const changes = changed.map(({ path, kind }) => ({ uri: uriOf(path), type: changeTypes[kind] }));
      // One that still starts is told as well: it may have read a file before the change.
      for (const { of } of lives)
        of.opened.then(
          ({ connection }) => connection.tell("workspace/didChangeWatchedFiles", { changes }),
          () => {}, // the next one reads the disk
        );
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...slots.values()].map(end));
    },
  };
}
export type ServerPool = ReturnType<typeof createServerPool>;

function keyOf({ name }: ServerDefinition, tree: string): string {
  return `${name}\0${tree}`;
}

function newSlot(definition: ServerDefinition, tree: string, now: number): Slot {
  return {
    definition,
    tree,
    life: undefined,
    ending: Promise.resolve(),
    inUse: 0,
    usedAt: now,
    idle: undefined,
    questions: 0,
    timeouts: 0,
    crashes: 0,
    isGivenUp: false,
    notBefore: now,
    lastFailure: undefined,
  };
}

function stateOf(slot: Slot, now: number): ServerState {
  const { life, isGivenUp, lastFailure, questions, crashes, definition, tree } = slot;
  const pid = life?.of.pid();
  const retryInMs = slot.notBefore - now;
  const waits = life === undefined && retryInMs > 0;
  const idle = waits ? (isGivenUp ? "given-up" : "waiting") : "ended";
  return {
    server: definition.name,
    tree,
    state: life === undefined ? idle : life.isOpen ? "running" : "starting",
    ...(pid === undefined ? {} : { pid }),
    ...(pid === undefined ? {} : { sandboxed: life!.of.isSandboxed() }),
    ...(life === undefined ? {} : { startedAt: life.startedAt }),
    questions,
    crashes,
    ...(lastFailure === undefined ? {} : { lastFailure }),
    ...(waits ? { retryInMs } : {}),
  };
}
