/**
 * The runtime of the daemon, put together: runs in workers, sessions, graphs and the Guide, all over one pool.
 *
 *   runs ─┐
 *   graphs┼─ work of sessions ── each session with a router of the one Guide ── sylk ask
 */
import { join } from "node:path";
import { roleCallables, createSlashDesk } from "../../agents/roles/index.ts";
import { askHandlers, placeIn, questionSessions, routerFor } from "../../orchestration/ask/index.ts";
import { carryOutNode, createNodeFiles } from "../../orchestration/dag-runs/index.ts";
import { createCheckCommands } from "../../orchestration/quality/index.ts";
import { withPreferences } from "../../orchestration/sessions/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import { patientPool } from "../../platform/pool/index.ts";
import { nodeReservations } from "./dag-reservations.ts";
import { composeDags } from "./dags.ts";
import { composeGuide } from "./guide.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { composeRolePorts } from "./role-ports.ts";
import { composeRuns } from "./runs.ts";
import { composeSessions } from "./sessions.ts";
import { composeSkills } from "./skills.ts";

export function composeRuntime(parts: Parts, terms: Terms) {
  const { redactor, settings, clock, paths } = terms;
  // A caller that starts something has the whole store at hand, though its type names only a part of it.
  const sessionRoom = (tx: object): Promise<void> => sessions.sessions.refuseFull(tx as Repositories);
  const answerNode: Parameters<typeof composeRuns>[3] = (waiting, decision, caller) =>
    graphs.answer(waiting, decision, caller);
  const runs = composeRuns(parts, terms, sessionRoom, answerNode);
  const { prompts, commands, checkModel, processes } = runs;
  const pool = patientPool(parts.pool, clock);
  const checks = createCheckCommands({ processes, commands, pool });
  const portsAt = composeRolePorts(parts, terms, checks);
  const slash = createSlashDesk({
    portsAt,
    placeOf: placeIn,
    phaseOf: async (session) => (await sessions.sessions.workflow(session)).phase,
  });
  const guide = composeGuide(parts, terms, prompts, slash);
  const files = createNodeFiles(join(paths.home, "nodes"));
  const nodePorts = { pool, commands, prompts, files, clean: redactor.value };
  const sessions = composeSessions(parts, terms, {
    work: [runs.work],
    ...guide,
    checkModel,
    carryOut: (attempt) => carryOutNode(attempt, nodePorts),
    processes,
    reservations: nodeReservations(parts, terms),
  });
  const { dags: host } = sessions;
  const autoResume = { autoResume: settings["runs.autoResume"] };
  const askPorts = { ...parts, ...guide, routerOf: sessions.routerOf, directSlashLine: slash.direct };
  const graphs = composeDags(parts, terms, { host, checkModel, sessionRoom });
  const operations = withPreferences(
    mergeHandlers(runs.handlers, sessions.handlers, graphs.handlers, askHandlers(askPorts)),
    { reader: parts.store.reader, preferences: sessions.sessions.preferences },
  );
  const skills = composeSkills(parts, terms, {
    callablesOf: roleCallables({
      operations,
      guide: guide.guide,
      slash,
      portsAt,
      routerFor: (session) => routerFor(session, askPorts),
    }),
    sessionOf: ({ caller }) => questionSessions(guide.guide, parts.store.reader).ofAgent(caller),
    checkSession: (id, call) => operations["session.get"]({ id }, call),
  });
  return {
    handlers: mergeHandlers(operations, skills),
    evictForgotten: sessions.sessions.evictForgotten,
    async endLeftovers(): Promise<void> {
      await runs.learnKeys();
      await processes.endLeftovers();
      await files.removeLeftovers();
    },
    async goOn(): Promise<void> {
      await sessions.loadOpen();
      await Promise.all([runs.workers.goOn(autoResume), host.goOn(autoResume)]);
    },
    async close(): Promise<void> {
      await runs.workers.close();
      await sessions.close();
      guide.guide.closeAll();
    },
  };
}
