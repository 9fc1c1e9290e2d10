/** Hooks and commit gate into a client, and out of it again: shown first, done after a yes. */
import { isAbsolute, join, relative, sep } from "node:path";
import { type DomainError, invalidInput } from "../../../contract/errors.ts";
import type { InstallScope } from "../../../contract/index.ts";
import { suggestion } from "../../../platform/nearest-name.ts";
import type { CommandContext, FlagTerms, WrittenCommand } from "../command.ts";
import { confirm } from "../confirm.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { entryPoints, type InstallPlan } from "../entry-points.ts";

type Kind = "install" | "uninstall";

const flags: Readonly<Record<string, FlagTerms>> = {
  local: { describe: "your own settings of this project, which git ignores (default)" },
  project: { describe: "the project's committed settings, which its team shares" },
  user: { describe: "your settings for all projects" },
  "dry-run": { describe: "show what would change, and change nothing" },
  yes: { describe: "do not ask" },
};
const followLinks: FlagTerms = { describe: "also write where a link leads; --dry-run shows where that is" };

const agentsMd: Readonly<Record<string, FlagTerms>> = {
  "agents-md": { describe: "make AGENTS.md the one instructions file that the client's own file points to" },
  "no-agents-md": { describe: "leave the instructions files as they are, and do not ask" },
};

const details: Readonly<Record<Kind, string>> = {
  install:
    "Writes a launcher into the home, our hooks (opencode: a plugin) and for some clients our MCP server into the client's settings, and a commit gate into the repository's pre-commit hook. Everything else in these files stays unchanged, byte for byte. Starts the daemon if it does not run, because nothing is guarded without it.",
  uninstall: "Files without later edits are restored exactly; edited files lose only the lines that Sylk added.",
};

export const install = commandFor("install", "Install hooks into a client and a commit gate into the repository");
export const uninstall = commandFor("uninstall", "Remove the hooks and the commit gate without a trace");

function commandFor(kind: Kind, summary: string): WrittenCommand {
  return {
    summary,
    details: details[kind],
    example: `sylk ${kind} claude-code --dry-run`,
    arguments: [{ name: "client", describe: "claude-code, codex, opencode or gemini", required: true }],
    flags: kind === "install" ? { ...flags, ...agentsMd, "follow-links": followLinks } : flags,
    errors: ["input.invalid", "file.exists", ...(kind === "install" ? (["file.link"] as const) : [])],
    run: (context) => carryOutFor(kind, context),
  };
}

export const upgrade: WrittenCommand = {
  summary: "Upgrade everything installed into clients to this version",
  details:
    "Upgrades the launcher, hooks, plugins and commit gates of all projects and clients installed from this home. Settings and the text of each hook's command stay, so clients that trusted it do not ask again.",
  example: "sylk upgrade --dry-run",
  flags: { "dry-run": flags["dry-run"]!, yes: flags.yes! },
  errors: ["input.invalid", "file.exists"],
  async run(context) {
    const { env, paths } = context;
    const plan = (await entryPoints().clients()).planUpgrade({ env, paths });
    return carryOut(plan, context, {
      nothing: "Everything installed already has this version",
      done: "Done. Running sessions continue; new ones use this version",
      facts: {},
    });
  },
};

async function carryOutFor(kind: Kind, context: CommandContext): Promise<number | undefined> {
  const { args, cwd, env, paths } = context;
  const installer = await entryPoints().clients();
  const client = String(args[0]);
  const terms = {
    scope: scopeOf(context),
    cwd,
    env,
    paths,
    followLinks: context.flags["follow-links"] === true,
  };
  const agentsMd = context.flags["agents-md"] === true ? "always" : "where-found";
  const withShared = kind === "install" ? installer.plan(kind, client, { ...terms, agentsMd }) : undefined;
  const plain = installer.plan(kind, client, terms);
  const plan = withShared !== undefined && (await wantsShared(withShared, plain, context)) ? withShared : plain;
  if (plan === undefined) throw unknownClient(client, installer.names);
  const isInstall = kind === "install";
  const { pending = [] } = plan;
  const guarded =
    pending.length === 0 ? `New ${client} sessions are guarded` : `${client} is NOT guarded yet. ${pending.join(". ")}`;
  return carryOut(plan, context, {
    nothing: isInstall
      ? [`${client} is already installed`, ...pending].join(". ")
      : `Sylk is not installed in ${client}`,
    done: isInstall ? `Done. ${guarded}` : "Done",
    facts: { client, ...(isInstall ? { pending } : {}) },
    // Nothing is guarded without it, and the next thing a reader does is to open a session.
    ...(isInstall ? { whenApplied: () => ensureDaemon(paths, env) } : {}),
  });
}

/** Asked on a terminal only, and only where something would change. */
async function wantsShared(
  shared: InstallPlan,
  plain: InstallPlan | undefined,
  { flags: given, json }: CommandContext,
): Promise<boolean> {
  if (given["no-agents-md"] === true) return false;
  if (given["agents-md"] === true) return true;
  const isOffered = shared.steps.length > (plain?.steps.length ?? 0) && given.yes !== true && given["dry-run"] !== true;
  if (!isOffered || json || !process.stdin.isTTY || !process.stderr.isTTY) return false;
  return confirm("Make AGENTS.md the one instructions file of all clients?");
}

type Words = {
  readonly nothing: string;
  readonly done: string;
  readonly facts: object;
  readonly whenApplied?: () => Promise<unknown>;
};

async function carryOut(plan: InstallPlan, context: CommandContext, words: Words): Promise<number | undefined> {
  const { flags: given, json, out } = context;
  const { steps, notes } = plan;
  const isDry = given["dry-run"] === true;
  if (!isDry && plan.refusal !== undefined) throw plan.refusal;
  if (!json) show(context, plan, words.nothing);
  const isConfirmed = !isDry && steps.length > 0 && (given.yes === true || (await confirm("Continue?")));
  if (isConfirmed) {
    plan.apply();
    if (words.whenApplied !== undefined) await out.progress("starting the daemon", words.whenApplied());
  }
  if (json) out.json({ ...words.facts, changed: isConfirmed, steps, notes });
  else if (isConfirmed) out.line(words.done);
  else if (!isDry && steps.length > 0) {
    out.line("Nothing was changed");
    return 1;
  }
  return undefined;
}

function show(context: CommandContext, { steps, notes }: InstallPlan, nothing: string): void {
  const { out } = context;
  if (steps.length === 0) out.line(nothing);
  else
    out.table(
      ["", "", ""],
      steps.map(({ action, file, what }) => [action, shortPath(file, context), what]),
      { whole: 1 },
    );
  for (const note of notes) out.line(note);
}

/** As a person names it: below the folder they are in, or below their home. */
function shortPath(file: string, { cwd, env: { HOME: home } }: CommandContext): string {
  const below = (folder: string): string | undefined => {
    const path = relative(folder, file);
    return isAbsolute(path) || path.split(sep)[0] === ".." ? undefined : path;
  };
  const inHome = home === undefined || home === "" ? undefined : below(home);
  return below(cwd) ?? (inHome === undefined ? file : join("~", inHome));
}

function scopeOf({ flags: { user, project, local } }: CommandContext): InstallScope {
  const chosen = [user === true, project === true, local === true].filter(Boolean).length;
  if (chosen > 1)
    throw invalidInput("scope", "is named twice", { sentence: "Choose one of --local, --project and --user" });
  if (user === true) return "user";
  return project === true ? "project" : "local";
}

function unknownClient(name: string, names: readonly string[]): DomainError {
  return invalidInput("client", `must be one of ${names.join(", ")}`, {
    sentence: `No adapter for the client "${name}". Sylk can install into: ${names.join(", ")}${suggestion(name, names)}`,
  });
}
