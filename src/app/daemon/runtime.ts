/**
 * The runtime of the daemon, put together: runs in workers, sessions, graphs and the Guide, all over one pool.
 *
 *   runs ─┐
 *   graphs┼─ work of sessions ── each session with a router of the one Guide ── sylk ask
 */
import { join } from "node:path";
import { type AskOperation, composeAsk, composeGuide, placeIn } from "./ask.ts";
import { nodeReservations } from "./dag-reservations.ts";
import { composeDags, type DagOperation } from "./dags.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { withPreferences } from "./preferences.ts";
import { composeRolePorts } from "./role-ports.ts";
import { roleSkillHandlers } from "./role-skills.ts";
import { composeRuns, type RunOperation } from "./runs.ts";
import { composeSessions, type SessionOperation } from "./sessions.ts";
import type { SkillCatalogue } from "./skills.ts";
import { composeSlash } from "./slash.ts";
import { carryOutNode, createNodeFiles } from "../../orchestration/dag-runs/index.ts";
import { createCheckCommands } from "../../orchestration/quality/index.ts";
import { patientPool } from "../../platform/pool/index.ts";

export type RuntimeOperation = RunOperation | SessionOperation | DagOperation | AskOperation | "skill.call";

export function composeRuntime(parts: Parts, terms: Terms, catalogue: SkillCatalogue) {
  const { redactor, settings, clock, paths } = terms;
  // Code that starts something has the whole store at hand, though it names only its own part of it.
  const sessionRoom = (tx: object): Promise<void> => sessions.refuseFull(tx as Repositories);
  const answerNode: Parameters<typeof composeRuns>[3] = (waiting, decision, caller) =>
    graphs.answer(waiting, decision, caller);
  const runs = composeRuns(parts, terms, sessionRoom, answerNode);
  const { prompts, commands, checkModel, processes } = runs;
  const pool = patientPool(parts.pool, clock);
  const checks = createCheckCommands({ processes, commands, pool });
  const portsAt = composeRolePorts(parts, terms, checks);
  const slash = composeSlash({ portsAt, placeOf: placeIn, phaseOf: (session) => sessions.phaseOf(session) });
  const guide = composeGuide(parts, terms, prompts, slash);
  const files = createNodeFiles(join(paths.home, "nodes"));
  const nodePorts = { pool, commands, prompts, files, clean: redactor.value };
  const sessions = composeSessions(parts, terms, {
    work: [runs.work],
    openRouter: guide.openRouter,
    checkModel,
    carryOut: (attempt) => carryOutNode(attempt, nodePorts),
    processes,
    reservations: nodeReservations(parts, terms),
  });
  const { dags: host } = sessions;
  const autoResume = { autoResume: settings["runs.autoResume"] };
  const ask = composeAsk(parts, { ...guide, slash, routerOf: sessions.routerOf });
  const graphs = composeDags(parts, terms, { host, checkModel, sessionRoom });
  const starting = withPreferences(parts, {
    handlers: { ...runs.handlers, ...graphs.handlers, ...ask.handlers },
    preferences: sessions.preferences,
  });
  const roleSkills = roleSkillHandlers(parts, {
    ...ask,
    guide: guide.guide,
    slash,
    portsAt,
    catalogue,
    doing: { ...sessions.handlers, ...ask.handlers, ...graphs.handlers, ...starting },
    sessionOf: (call) => ask.sessionOf(call.caller),
  });
  return {
    handlers: {
      ...runs.handlers,
      ...sessions.handlers,
      ...graphs.handlers,
      ...ask.handlers,
      ...starting,
      ...roleSkills,
    },
    evictForgotten: sessions.evictForgotten,
    async endLeftovers(): Promise<void> {
      await runs.learnKeys();
      await processes.endLeftovers();
      await files.removeLeftovers();
    },
    async goOn(): Promise<void> {
      await sessions.takeUp();
      await Promise.all([runs.workers.goOn(autoResume), host.goOn(autoResume)]);
    },
    async close(): Promise<void> {
      await runs.workers.close();
      await sessions.close();
      guide.close();
    },
  };
}
