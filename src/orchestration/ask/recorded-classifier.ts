/** The model that chooses the role of a question where the rules are not sure; every choice is recorded with its cost. */
import { ask as contract, messageOf } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { PromptPort } from "../executors/index.ts";
import { type Classification, createModelClassifier } from "../guide/index.ts";
import { costOf } from "../runs/index.ts";
import type { AskTx, Classifier } from "./ports.ts";
import { placeIn } from "./question-place.ts";
import { ensureStanding } from "./standing-session.ts";

type ClassifierPorts<Tx> = {
  readonly store: Pick<Store<Tx>, "transact">;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly prompts: PromptPort;
};

/** None where the setting says "off". */
export function createRecordedClassifier<Tx extends AskTx>(
  provider: string,
  ports: ClassifierPorts<Tx>,
): Classifier | undefined {
  if (provider === "off") return undefined;
  let lastFailure: string | undefined;
  const ask = createModelClassifier({
    ...ports,
    provider,
    // A question that is refused leaves nothing behind, but for what it cost.
    record: (classification, asked) =>
      ports.store.transact("ask", async (tx) => {
        const { session } = asked;
        const project = await ensureStanding(session, placeIn(asked), tx, ports);
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
