/**
 * A question in the middle of the work.
 *
 *   request_help -> TASK_HELP -> Orchestrator -> Architect -> the answer: the conversation continues with it
 *                                                          `-> only the user knows: the attempt ends, the next one has it
 */
import type { Message, NodeId } from "../../../contract/index.ts";
import type { Answer } from "../../../orchestration/guide/index.ts";
import type { ModelTool } from "../../../orchestration/models/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";
import { skillTool } from "../../skills/index.ts";
import { requestHelp } from "../skills.ts";

type Ports = {
  readonly node: NodeId;
  readonly parent: Message;
  /** How many of its questions were answered in earlier attempts. */
  readonly answered: number;
  readonly guide: Pick<RunContext["guide"], "ask">;
  /** The work stops here, with this as its outcome. */
  readonly onWait: (help: Answer<"TASK_DISPATCH">) => void;
};

const helpDeadlineMs = 5 * 60_000;
/** Each one lets the work begin anew; a model that asks for ever would never end. */
const mostQuestions = 5;

export function helpTool({ node, parent, answered, guide, onWait }: Ports): ModelTool {
  return skillTool(requestHelp, async ({ question, context }, { signal }) => {
    if (answered >= mostQuestions)
      throw new Error(`${answered} questions about this work were answered; decide with what is known, or give up`);
    const help = { node, question, ...(context === undefined ? {} : { context }) };
    const terms = { parent, deadlineMs: helpDeadlineMs, signal };
    const { payload } = await guide.ask("engineer", "orchestrator", "TASK_HELP", help, terms);
    const { answer, ask } = payload;
    if (ask === undefined) return { answer };
    const { question: asked, ...forUser } = ask;
    onWait({ type: "TASK_HELP", payload: { node, question: asked, forUser } });
    return { waits: "the user is asked" };
  });
}
