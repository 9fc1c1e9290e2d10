/** The composition root's part for the model that may say whom a question is for, where the rules are not sure. */
import { ask as contract, messageOf } from "../../contract/index.ts";
import type { Parts, Terms } from "./parts.ts";
import { ensureStanding, type Place } from "./standing-session.ts";
import type { PromptPort } from "../../orchestration/executors/index.ts";
import { type Classification, createModelClassifier, type GuidePorts } from "../../orchestration/guide/index.ts";
import { costOf } from "../../orchestration/runs/index.ts";

export type Classifier = {
  readonly provider: string;
  /** Why the last question to it was for nothing. */
  readonly lastFailure: string | undefined;
  readonly classify: NonNullable<GuidePorts["classifyByModel"]>;
};

export function composeClassifier(
  parts: Parts,
  { settings, clock }: Terms,
  prompts: PromptPort,
): Classifier | undefined {
  const provider = settings["guide.classifier"];
  if (provider === "off") return undefined;
  let lastFailure: string | undefined;
  const ask = createModelClassifier({
    prompts,
    provider,
    clock,
    // A question that is refused leaves nothing behind, but for what it cost.
    record: (classification, { session, metadata }) =>
      parts.store.transact("ask", async (tx) => {
        const project = await ensureStanding(session, metadata.place as Place, tx, parts);
        const event = contract.AskClassified.of(session, { session, ...factsOf(classification) });
        await tx.events.append(project, event);
      }),
  });
  return {
    provider,
    get lastFailure() {
      return lastFailure;
    },
    async classify(...asked) {
      try {
        const said = await ask(...asked);
        lastFailure = undefined;
        return said;
      } catch (error) {
        lastFailure = messageOf(error);
        throw error;
      }
    },
  };
}

function factsOf({ model, usage, said, ms }: Classification) {
  const chosen = said === undefined ? {} : { to: said.to, confidence: said.confidence };
  return { model, ...chosen, cost: costOf(usage), ms: Math.round(ms) };
}
