/**
 * Language servers as a provider of the code index: hover, definition, references, diagnostics of a file as it is on disk.
 *
 *   place -> server by the file's ending -> the one of this tree (server-pool) -> file told -> project loaded -> question
 */
import type { CodePosition, FileChange, PreciseAnswer, PreciseProvider } from "../../knowledge/code-index/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { restartTerms } from "./decide-restart.ts";
import { doubts } from "./judge-project.ts";
import { endingOf, knownServers, serverFor, type ServerDefinition } from "./known-servers.ts";
import type { OpenDocument } from "./open-documents.ts";
import { readDiagnostics, readHover, readPlaces, readReport } from "./read-answers.ts";
import { ServerFailure } from "./server-failure.ts";
import { createServerPool, type PoolPorts, type PoolTerms, type ServerState } from "./server-pool.ts";
import type { OpenServer } from "./start-server.ts";

export type LanguageServers = PreciseProvider & {
  readonly name: "language-server";
  /** Tells running servers of files that changed on the disk: most of them do not watch by themselves. */
  filesChanged(tree: string, changes: readonly FileChange[]): void;
  list(): readonly ServerState[];
  /** Ends all of them. */
  close(): Promise<void>;
};
export type LanguageServerPorts = Omit<PoolPorts, "terms"> & {
  /** False: none is started; the default is true. */
  readonly isOn?: boolean;
  readonly servers?: readonly ServerDefinition[];
  readonly terms?: Partial<PoolTerms>;
};

const mib = 1_048_576;
const defaultTerms: PoolTerms = {
  ...restartTerms,
  maxMessageBytes: 32 * mib,
  startMs: 30_000,
  requestMs: 15_000,
  idleMs: 600_000,
  mostServers: 6,
  maxBytes: 3_072 * mib,
  mostTimeouts: 2,
};

export function createLanguageServers(given: LanguageServerPorts): LanguageServers {
  const ports = { ...given, terms: { ...defaultTerms, ...given.terms } };
  const { clock, terms, servers = knownServers } = ports;
  const pool = createServerPool(ports);

  async function ask<Found>(
    { tree, path }: Pick<CodePosition, "tree" | "path">,
    question: (server: OpenServer, document: OpenDocument) => Promise<Found>,
  ): Promise<PreciseAnswer<Found>> {
    if (given.isOn === false)
      return { state: "not-covered", reason: "language servers are switched off (languageServers.mode)" };
    const definition = serverFor(path, servers);
    if (definition === undefined) {
      const ending = endingOf(path);
      return {
        state: "not-covered",
        reason: `no language server is known for ${ending === "" ? path : `.${ending} files`}`,
      };
    }
    try {
      return await pool.use(definition, tree, async (server) => {
        const document = await server.documents.open(path);
        await loaded(server, terms.requestMs, clock);
        const found = await question(server, document);
        const notes = await doubts(server, document.uri);
        return { state: "answered", found, confidence: notes.length === 0 ? "exact" : "likely", notes };
      });
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      return {
        state: error.kind === "absent" || error.kind === "unfit" ? "not-covered" : "failed",
        reason: error.message,
      };
    }
  }

  const askAt = <Found>(
    at: CodePosition,
    method: string,
    more: object,
    read: (answer: unknown, server: string, tree: string) => Found,
  ): Promise<PreciseAnswer<Found>> =>
    ask(at, async ({ connection, definition, tree }, { uri }) => {
      const position = { line: at.line - 1, character: at.column - 1 };
      return read(await connection.ask(method, { textDocument: { uri }, position, ...more }), definition.name, tree);
    });

  return {
    name: "language-server",
    async isAtHand({ tree, path }) {
      const definition = serverFor(path, servers);
      return definition !== undefined && pool.isRunning(definition, tree);
    },
    hover: (at) => askAt(at, "textDocument/hover", {}, readHover),
    definition: (at) => askAt(at, "textDocument/definition", {}, readPlaces),
    references: (at) => askAt(at, "textDocument/references", { context: { includeDeclaration: true } }, readPlaces),
    diagnostics: (file) =>
      ask(file, async ({ connection, definition: { name } }, { uri }) => {
        if (connection.hasPullDiagnostics)
          return readReport(await connection.ask("textDocument/diagnostic", { textDocument: { uri } }), name);
        const { reports } = connection;
        await untilReport(reports, () => reports.published(uri) !== undefined, terms.requestMs, clock);
        const published = reports.published(uri);
        if (published === undefined) throw new ServerFailure(`${name} sent no diagnostics in time`, "late");
        return readDiagnostics(published, name);
      }),
    filesChanged: pool.filesChanged,
    list: pool.list,
    close: pool.close,
  };
}

/** Until the project is loaded, or the time is over: then the answer says that it is not. */
function loaded({ connection: { reports, ended } }: OpenServer, ms: number, clock: Clock): Promise<unknown> {
  return Promise.race([ended, untilReport(reports, reports.isLoaded, ms, clock)]);
}

function untilReport(
  reports: OpenServer["connection"]["reports"],
  isDone: () => boolean,
  ms: number,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isDone()) finish();
    };
    const finish = (): void => {
      timer.cancel();
      stopListening();
      resolve();
    };
    const timer = clock.after(ms, () => finish());
    const stopListening = reports.onReport(look);
    look();
  });
}
