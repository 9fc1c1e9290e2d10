/** Language servers over real processes: the scripted one of `test/language-servers`, in a scratch tree. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProcessIdentity } from "../../orchestration/executors/index.ts";
import { manualClock, systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { startProgram } from "../processes/index.ts";
import type { ServerDefinition } from "./known-servers.ts";
import { createLanguageServers, type LanguageServerPorts } from "./language-servers.ts";

const script = join(import.meta.dirname, "../../../test/language-servers/scripted-server.mjs");
type Message = {
  readonly method?: string;
  readonly started?: number;
  readonly version?: number;
  readonly env?: string[];
  readonly changes?: readonly { readonly uri: string; readonly type: number }[];
};

function scriptedServer(more: Partial<ServerDefinition> = {}): ServerDefinition {
  return {
    name: "scripted",
    argv: [process.execPath, script],
    languages: { txt: "plaintext" },
    projectFiles: [],
    ...more,
  };
}

/** Servers of a scratch tree; the clock of deadlines is moved by hand, that of processes is the machine's. */
export async function scratchServers(
  files: Readonly<Record<string, string>>,
  { definition = {}, ...more }: Partial<LanguageServerPorts> & { readonly definition?: Partial<ServerDefinition> } = {},
) {
  const folder = scratchFolder();
  const tree = join(realpathSync(folder.path), "tree");
  const log = join(folder.path, "messages");
  const clock = manualClock();
  const recorded: ProcessIdentity[] = [];
  const crashes: string[] = [];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const servers = createLanguageServers({
    clock,
    findProgram: (name) => name,
    startProgram: (terms) => startProgram({ ...terms, lookMs: 200 }, systemClock()),
    processes: {
      async run(_owner, run) {
        let started: ProcessIdentity | undefined;
        const result = await run(async (process) => void recorded.push((started = process)));
        recorded.splice(recorded.indexOf(started!), 1);
        return result;
      },
    },
    enclosureOf: async () => ({ kind: "open" }),
    env: { PATH: process.env.PATH ?? "" },
    onCrash: (_server, _tree, reason) => void crashes.push(reason),
    servers: [scriptedServer({ ...definition, env: { SCRIPTED_LOG: log, ...definition.env } })],
    ...more,
  });
  return {
    servers,
    tree,
    clock,
    recorded,
    crashes,
    write,
    at: (path: string, line = 1, column = 1) => ({ tree, path, line, column }),
    messages: (): readonly Message[] =>
      readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Message),
    async [Symbol.asyncDispose]() {
      await servers.close();
      folder[Symbol.dispose]();
    },
  };
}
