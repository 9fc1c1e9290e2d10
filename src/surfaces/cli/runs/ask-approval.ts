/**
 * Asks in place whether a plan is carried out, where a person sits at a terminal.
 *
 *   plan -> y | n | show: the prompts | edit: the plan in an editor, then asked again
 */
import { createInterface } from "node:readline/promises";
import { DomainError } from "../../../contract/errors.ts";
import type { Run } from "../../../contract/index.ts";
import type { CommandContext } from "../command.ts";
import { printable } from "../printable.ts";
import { editPlan } from "./edit-plan.ts";
import { planLines, promptLines } from "./render-run.ts";

/** left: no decision was made, the run keeps waiting. */
export type PlanDecision = "decided" | "left";

export function canAsk({ stdin, stdout } = process): boolean {
  return stdin.isTTY && stdout.isTTY;
}

const question = "Carry out this plan? [y/n/show/edit] ";

export async function askApproval(run: Run, context: CommandContext): Promise<PlanDecision> {
  const { out, connect } = context;
  let asked = run;
  let draft: string | undefined;
  const show = (): void => planLines(printable(asked), out).forEach(out.line);
  show();
  for (;;) {
    const answer = await readAnswer();
    if (answer === undefined) return "left";
    const decision = /^y(es)?$/i.test(answer) ? "approve" : /^no?$/i.test(answer) ? "reject" : undefined;
    if (decision !== undefined) {
      const client = await connect();
      await client.call("run.answer", { id: run.id, decision });
      return "decided";
    }
    if (/^s(how)?$/i.test(answer)) promptLines(printable(asked), out).forEach(out.line);
    else if (/^e(dit)?$/i.test(answer)) {
      const edited = await editPlan(asked, draft, context).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        return { problem: error.message, draft };
      });
      draft = edited.draft;
      if ("run" in edited) {
        asked = edited.run;
        show();
      } else out.line(edited.problem);
    } else out.line("Type y to carry it out, n to reject it, show for its prompts, or edit to change it.");
  }
}

/** Undefined on Ctrl-C and at the end of the input. */
async function readAnswer(): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const left = new AbortController();
  lines.once("SIGINT", () => left.abort());
  lines.once("close", () => left.abort());
  try {
    return (await lines.question(question, { signal: left.signal })).trim();
  } catch (error) {
    if (!left.signal.aborted) throw error;
    process.stdout.write("\n");
    return undefined;
  } finally {
    lines.close();
  }
}
