/** `sylk ask`: a question, to the role that can answer it; or why it would go there. */
import { resolve } from "node:path";
import { DomainError } from "../../../contract/errors.ts";
import type { OutputOf } from "../../../contract/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { confirm } from "../confirm.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { sampleScenario } from "../samples.ts";
import { counted } from "../wording.ts";

const send = operationCommand("ask.send", {
  details:
    "A tag at the start names the role: @to:librarian, @to:archivalist, @to:architect, @to:inspector, @to:tester. Without a tag Sylk chooses by the words; --explain shows how, without sending the question.",
  fields: ["input"],
  without: ["project", "rehearse"],
  flags: {
    explain: { describe: "show which role would get it and every role's score, without sending it" },
    rehearse: {
      describe: "a scripted model plays a scenario instead of a real model (default: the sample)",
      optionalValue: "scenario",
    },
  },
  adjust: (input, { cwd, flags: { rehearse } }) => ({
    ...input,
    project: { path: cwd },
    ...(rehearse === undefined
      ? {}
      : { rehearse: rehearse === true ? sampleScenario() : resolve(cwd, String(rehearse)) }),
  }),
  print: printAnswer,
});

export const explain = operationCommand("ask.routes", {
  details: "The same as sylk ask --explain.",
  fields: ["input"],
  print: printRoutes,
});

export const ask: WrittenCommand = {
  ...send,
  async run(context) {
    if (context.flags.explain === true) return explain.run(context);
    try {
      return await send.run(context);
    } catch (error) {
      const to = await agreedOn(error, context);
      if (to === undefined) throw error;
      return send.run({ ...context, flags: { ...context.flags, confirm: to } });
    }
  },
};

/** A slash command of the Librarian, with its words as a shell has them; the operation's own command is `sylk ask`. */
const { operation: _operation, ...sendScan } = operationCommand("ask.send", {
  example: "sylk scan https://github.com/owner/name",
  details:
    'Connects only to hosts of the setting scan.hosts: sylk config set scan.hosts "github.com git.example.com=WORK_TOKEN". --auth names the variable that holds the token. Stops at scan.maxBytes (200 MB) and scan.timeoutMs (2 minutes). Nothing of the clone is executed.',
  arguments: [{ name: "url", describe: "address that begins with https://", required: true }],
  without: ["input", "project", "session", "rehearse", "provider", "confirm"],
  flags: {
    auth: { describe: "name of the credential, as scan.hosts has it", value: "name" },
    full: { describe: "clone the whole history instead of the newest commit" },
  },
  adjust: (_input, { args: [url], flags: { auth, full }, cwd }) => ({
    input: `@to:librarian /scan${auth === undefined ? "" : ` --auth=${quoted(auth)}`}${full === true ? " --full" : ""} -- ${quoted(url)}`,
    project: { path: cwd },
  }),
  print: printAnswer,
});

export const scan: WrittenCommand = {
  ...sendScan,
  summary: "Clone a repository of an allowed host and describe it: languages, tools, a map of its code",
};

function quoted(word: unknown): string {
  return `"${String(word).replaceAll(/["\\]/g, "\\$&")}"`;
}

export const metrics = operationCommand("ask.metrics", {
  print: printMetrics,
});

/** Only a person at a terminal is asked; a script gets the error, which says how to go on. */
async function agreedOn(error: unknown, { json }: CommandContext): Promise<string | undefined> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  if (!(error instanceof DomainError) || error.code !== "route.unsure") return undefined;
  const { to } = error.details;
  if (typeof to !== "string") return undefined;
  return (await confirm(`This question is probably for the ${to}. Send it?`)) ? to : undefined;
}

function printAnswer({ to, by, confidence, answer, answers, model, label }: OutputOf<"ask.send">, out: Output): void {
  const via = model === undefined ? "" : `, ${label === undefined ? model : `${label}: ${model}`}`;
  if (answers === undefined) {
    out.line(out.paint("dim", `${to} (by ${by}, ${confidence.toFixed(2)}${via})`));
    printText(answer.text, out);
    return;
  }
  for (const each of answers) {
    out.line(out.paint("dim", each.to));
    printText(each.answer?.text ?? `no answer: ${each.error ?? "unknown"}`, out);
  }
}

/** Set in, so that no line of theirs looks like one of ours. */
function printText(text: string, out: Output): void {
  for (const line of text.split("\n")) out.line(`  ${line}`);
}

const outcomes: Readonly<Record<OutputOf<"ask.routes">["decision"]["band"], string>> = {
  execute: "would be asked",
  log: "would be asked, and the route recorded for review",
  confirm: "would be asked only after you confirm it",
  reject: "no role would be asked",
};

function printRoutes({ decision, candidates, classifier }: OutputOf<"ask.routes">, out: Output): void {
  const { to, by, confidence, intent, domain, band } = decision;
  const whom = band === "reject" ? "" : `${to.join(", ")} `;
  out.line(
    `${whom}${outcomes[band]} (by ${by}, confidence ${confidence.toFixed(2)}, intent ${intent}, domain ${domain})`,
  );
  if (classifier !== undefined) {
    const { provider, lastFailure } = classifier;
    const before = lastFailure === undefined ? "" : `; its last attempt failed: ${lastFailure}`;
    out.line(`The rules are not sure, so ${provider} would choose the role${before}`);
  }
  out.table(
    ["role", "score", "because"],
    candidates.map(({ name, score, because, barred }) => [
      name,
      String(score),
      barred ?? (because.join(", ") || "nothing fits"),
    ]),
  );
}

function printMetrics({ sessions, globalRoutes, counts, session, undelivered }: OutputOf<"ask.metrics">, out: Output) {
  out.line(`${counted(sessions, "session")} open, ${counted(globalRoutes, "route")} shared by all`);
  out.table(
    ["what", "count"],
    Object.entries(session?.counts ?? counts).map(([what, count]) => [what, String(count)]),
  );
  if (session !== undefined)
    out.table(
      ["role", "health", "circuit", "waiting", "p99"],
      session.agents.map(({ name, health, circuit, waiting, p99Ms }) => [
        name,
        health,
        circuit,
        String(waiting),
        p99Ms === undefined ? "" : `${p99Ms} ms`,
      ]),
    );
  for (const { to, type, reason, error } of undelivered)
    out.line(`not delivered: ${type} to ${to}, ${reason}: ${error}`);
}
