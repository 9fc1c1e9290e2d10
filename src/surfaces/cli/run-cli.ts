/**
 * The command line: words -> command -> result; an error becomes its family's exit code.
 * Only what the typed command needs is loaded.
 */
import { resolve } from "node:path";
import { DomainError, toErrorBody } from "../../contract/errors.ts";
import { homePaths } from "../../platform/home/index.ts";
import type { Command, CommandContext, WrittenCommand } from "./command.ts";
import { findCommand, loadFound } from "./command-table.ts";
import { asHomeTrouble } from "./home-trouble.ts";
import { withoutLeadingFlags } from "./leading-flags.ts";
import { createOutput, type Output, type Streams } from "./output.ts";
import { printableText } from "./printable.ts";

export type CliTerms = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where it prints; the process's own unless a caller in the same process listens. */
  readonly streams?: Streams;
};

export async function runCli({ argv, env, cwd, streams = process }: CliTerms): Promise<number> {
  const out = createOutput(streams, env);
  try {
    return await runWords({ argv, env, cwd }, out);
  } catch (error) {
    return report(asHomeTrouble(error, homePaths(env).home) ?? error, argv.includes("--json"), out);
  }
}

async function runWords({ env, ...typed }: CliTerms, out: Output): Promise<number> {
  const { argv, cwd } = withoutLeadingFlags(typed, (words) => words.length - (findCommand(words)?.rest.length ?? 0));
  const found = findCommand(argv);
  if (found === undefined) return (await import("./top-level.ts")).runTopLevel(argv, out);
  const written = await found.row.written();
  const plain = plainly(written, found.rest);
  if (plain !== undefined)
    return tellAsTyped(
      () => runCommand(written, plain, { env, cwd }, out),
      () => loadFound(found),
      plain,
    );
  const command = await loadFound(found);
  const parsed = (await import("./parse-arguments.ts")).parseArguments(command, found.rest, out);
  if ("help" in parsed) {
    out.line(parsed.help.trimEnd());
    return 0;
  }
  return tellAsTyped(
    () => runCommand(command, parsed, { env, cwd }, out),
    async () => command,
    parsed,
  );
}

/** A program gets the same answer over every way in; a person gets the words that they typed. */
async function tellAsTyped(
  run: () => Promise<number>,
  load: () => Promise<Command>,
  parsed: Pick<CommandContext, "args" | "flags">,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "input.invalid" || parsed.flags.json === true) throw error;
    throw (await import("./usage-errors.ts")).asTyped(error, await load(), parsed);
  }
}

/** A bare command, or one with --json alone, needs neither parser nor schema: scripts call those hundreds of times. */
function plainly(
  { arguments: own = [], explain, isBare = explain === undefined }: WrittenCommand,
  rest: readonly string[],
): Pick<CommandContext, "args" | "flags"> | undefined {
  if (!isBare || own.length > 0 || !rest.every((word) => word === "--json")) return undefined;
  return { args: [], flags: rest.length > 0 ? { json: true } : {} };
}

async function runCommand(
  command: Pick<Command, "run" | "staysHere">,
  { args, flags }: Pick<CommandContext, "args" | "flags">,
  { env, cwd }: Omit<CliTerms, "argv">,
  out: Output,
): Promise<number> {
  const paths = homePaths(env);
  const actAs = typeof flags.as === "string" ? flags.as : env.SYLK_AGENT || undefined;
  const connectAt =
    (folder: string): CommandContext["connect"] =>
    async (terms) =>
      (await import("./connect.ts")).connectToDaemon({
        paths,
        env,
        project: folder,
        actAs,
        note: out.note,
        ...terms,
      });
  const here = resolve(cwd, typeof flags.folder === "string" ? flags.folder : ".");
  const { project, elsewhere } = await placeOf(command, flags, here, Boolean(env.SYLK_TOKEN ?? actAs), connectAt(here));
  let interrupted: AbortSignal | undefined;
  const context: CommandContext = {
    args,
    flags,
    out,
    env,
    paths,
    cwd: project,
    ...(elsewhere === undefined ? {} : { elsewhere }),
    json: flags.json === true,
    // Only for who asks for it: every other command ends by Ctrl-C itself, also while it waits for an answer.
    get signal() {
      return (interrupted ??= interruption());
    },
    connect: connectAt(project),
  };
  return (await command.run(context)) ?? 0;
}

/** Where a command works: here, or in the project that it names. */
async function placeOf(
  { staysHere = false }: Pick<Command, "staysHere">,
  { project: typed }: CommandContext["flags"],
  cwd: string,
  isAgents: boolean,
  connect: CommandContext["connect"],
): Promise<{ readonly project: string; readonly elsewhere?: string }> {
  if (typeof typed !== "string") return { project: resolve(cwd) };
  const { folderOrName, insideRepository, projectFolder } = await import("./all-projects.ts");
  if (staysHere && (insideRepository(cwd) || isAgents))
    return { project: resolve(cwd), elsewhere: folderOrName(typed, cwd) };
  return { project: await projectFolder(typed, cwd, connect) };
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}

function report(error: unknown, json: boolean, out: Output): number {
  const known =
    error instanceof DomainError
      ? error
      : new DomainError(
          "internal",
          `A defect in Sylk: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          { cause: error },
        );
  // Set in, so that no line of a message passes for one of ours.
  const message = printableText(known.message, true).replaceAll("\n", "\n      ");
  if (json) out.json(toErrorBody(known));
  else out.note(`${out.paint("red", "error")} ${message}\n${out.paint("dim", `      ${known.code}`)}`);
  return known.exitCode;
}
