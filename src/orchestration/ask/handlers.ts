/** Handlers of questions: what `contract/ask.ts` names. */
import type { SessionId } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { SessionRouter } from "../guide/index.ts";
import { askQuestion, explainRoute, guideMetrics } from "./ask-question.ts";
import type { AskPorts, AskTx } from "./ports.ts";
import { placeOf } from "./question-place.ts";
import { questionSessions } from "./question-session.ts";
import { ensureStanding } from "./standing-session.ts";

export function askHandlers<Tx extends AskTx>(ports: AskPorts<Tx>): OperationHandlers<Tx, OperationsOn<"ask">> {
  const { store, guide, classifier, directSlashLine } = ports;
  const sessions = questionSessions(guide, store.reader);
  return {
    async "ask.send"(input, call) {
      const place = await placeOf(input.project.path, call.caller, store.reader);
      const session = await sessions.of(input.session, place, call.caller);
      const router = await routerFor(session, ports);
      return askQuestion(await directSlashLine(input, router), call, {
        ...ports,
        router,
        scope: place.path,
        ensureProject: (tx) => ensureStanding(session, place, tx, ports),
        metadata: { place },
        // A question about an unknown project that gets no answer leaves no trace of it.
        recordFailure: async (event) => {
          const { project } = place;
          if (project !== undefined) await store.transact(place.path, (tx) => tx.events.append(project, event));
        },
      });
    },
    async "ask.routes"(input, { caller }) {
      const { path = "", id: project } = caller.project ?? {};
      const session =
        input.session === undefined
          ? await sessions.current({ path, project }, caller)
          : await sessions.known(input.session, project);
      const router = await routerFor(session, ports);
      return explainRoute(await directSlashLine(input, router), router, classifier);
    },
    async "ask.metrics"(input, { caller }) {
      if (input.session !== undefined) await sessions.known(input.session, caller.project?.id);
      return guideMetrics(input, guide);
    },
  };
}

/** Before its first answer a project's standing session is kept nowhere, so its router is opened for the question. */
export async function routerFor<Tx extends AskTx>(
  session: SessionId,
  { store, openRouter, routerOf }: Pick<AskPorts<Tx>, "store" | "openRouter" | "routerOf">,
): Promise<SessionRouter> {
  return (await store.reader.sessions.find(session)) === undefined ? openRouter(session) : routerOf(session);
}
