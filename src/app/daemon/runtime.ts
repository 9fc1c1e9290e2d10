/**
 * Builds the daemon's runtime: one host for runs and graphs, the sessions and the Guide, over one pool.
 *
 *   runs, graphs ─ host ─ work of sessions ── each session and run with a router of the one Guide ── sylk ask
 */
import { join } from "node:path";
import { roleCallables, createSlashDesk } from "../../agents/roles/index.ts";
import { callLibrarian } from "../../agents/shared/code-look/index.ts";
import type { Dispatch } from "../../contract/index.ts";
import { toolPreferences } from "../../knowledge/archive/index.ts";
import type { CodeIndex } from "../../knowledge/code-index/index.ts";
import { askHandlers, placeIn, questionSessions, routerFor, toolQuestions } from "../../orchestration/ask/index.ts";
import { withdrawUnasked } from "../../orchestration/approvals/index.ts";
import { archivingGraphs, carryOutByKind, carryOutNode, createNodeFiles } from "../../orchestration/graphs/index.ts";
import type { WrapCommand } from "../../orchestration/executors/index.ts";
import { createCheckCommands } from "../../orchestration/quality/index.ts";
import { adoptRuns, describeRun, followMerges, followRuns, type MergeChange } from "../../orchestration/runs/index.ts";
import { withPreferences } from "../../orchestration/sessions/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import { patientPool } from "../../platform/pool/index.ts";
import { nodeReservations } from "./dag-reservations.ts";
import { composeArchive } from "./archive.ts";
import { graphHandlers } from "./graphs.ts";
import { composeGuide } from "./guide.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";
import { composeRolePorts } from "./role-ports.ts";
import { composeRuns } from "./runs.ts";
import { composeSessions } from "./sessions.ts";
import { composeSkills } from "./skills.ts";
import { composeSources } from "./sources.ts";
import type { composeTools } from "./tools.ts";

export function composeRuntime(
  parts: DaemonParts,
  terms: DaemonTerms,
  {
    dispatch,
    wrap,
    mergeChange,
    tools,
    index,
  }: {
    readonly dispatch: () => Dispatch;
    readonly wrap: WrapCommand;
    readonly mergeChange: MergeChange;
    readonly tools: ReturnType<typeof composeTools>;
    readonly index: Pick<CodeIndex, "ask" | "forget">;
  },
) {
  const { redactor, settings, clock, paths } = terms;
  // Callers have the whole store, although its type here names only a part.
  const sessionRoom = (tx: object): Promise<void> => sessions.sessions.refuseFull(tx as Repositories);
  const pool = patientPool(parts.pool, clock);
  const runs = composeRuns(parts, terms, {
    pool,
    dispatch,
    index,
    librarian: (call, at, signal) => callLibrarian(call, portsAt(at), { ...at, signal }),
    guide: () => guide.guide,
    host: () => sessions.dags,
  });
  const { prompts, commands, checkModel, processes } = runs;
  const research = composeSources(parts, terms, {
    index,
    discovery: tools.discovery,
    prompts,
    sessionOf: (caller) => archive.currentSession(caller),
  });
  const checks = createCheckCommands({ processes, commands, pool, wrap });
  const portsAt = composeRolePorts(parts, terms, checks, tools, index, research.at);
  const slash = createSlashDesk({
    portsAt,
    placeOf: placeIn,
    phaseOf: async (session) => (await sessions.sessions.workflow(session)).phase,
  });
  const guide = composeGuide(parts, terms, prompts, slash, {
    index,
    scanTools: tools.scanTools,
    academic: research.academic(tools),
  });
  const files = createNodeFiles(join(paths.home, "nodes"));
  const nodePorts = { pool, commands, prompts, files, wrap, clean: redactor.value };
  const follower = followRuns(parts);
  const graphArchiver = archivingGraphs<Repositories>(redactor.value);
  const unfollowMerges = followMerges({
    ...parts,
    workspaces: runs.workspaces,
    subscribe: (type, handle) => parts.bus.subscribe(`event.${type}`, handle),
    onFailed: (error) => terms.log.warn("run-merge.unrecorded", { error }), // "sylk merge" records it
  });
  const sessions = composeSessions(parts, terms, {
    work: [],
    ...guide,
    checkModel,
    carryOut: carryOutByKind({
      ...runs.executors,
      command: (attempt) => carryOutNode(attempt, nodePorts),
      prompt: (attempt) => carryOutNode(attempt, nodePorts),
    }),
    processes,
    reservations: nodeReservations(parts, terms),
    followerOf: (id) => (id.startsWith("run_") ? follower : graphArchiver),
    companionOf: runs.companionOf,
    describeRun,
  });
  const { dags: host } = sessions;
  const archive = composeArchive(parts, terms, guide.guide);
  const askPorts = { ...parts, ...guide, routerOf: sessions.routerOf, directSlashLine: slash.direct };
  const operations = withPreferences(
    mergeHandlers(
      graphHandlers(parts, terms, { ...runs, host, sessionRoom, mergeChange, installs: tools.requests }),
      runs.providerHandlers,
      sessions.handlers,
      askHandlers(askPorts),
      archive.handlers,
    ),
    { reader: parts.store.reader, preferences: sessions.sessions.preferences },
  );
  const skills = composeSkills(parts, terms, {
    callablesOf: roleCallables<Repositories>({
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
    handlers: mergeHandlers(operations, skills, research.handlers),
    toolQuestions: toolQuestions({
      ...guide,
      reader: parts.store.reader,
      routerFor: (session) => routerFor(session, askPorts),
      preferences: sessions.sessions.preferences,
      remembered: (project, session) => toolPreferences(parts.store.reader.archive, project, session),
    }),
    /** A recorded command with a place in the pool, for a person. */
    runCheck: (request: Parameters<typeof checks.run>[0]) => checks.run(request, { group: "tools" }),
    evictForgotten: sessions.sessions.evictForgotten,
    async endLeftovers(): Promise<void> {
      await runs.learnKeys();
      await processes.endLeftovers();
      await files.removeLeftovers();
      await runs.removeCaches();
      await research.sweep();
      await adoptRuns(parts);
    },
    async resumeAll(): Promise<void> {
      await sessions.loadOpen();
      await withdrawUnasked(parts.store, parts.clock);
      await host.resumeAll({ autoResume: settings["runs.autoResume"] });
    },
    async close(): Promise<void> {
      unfollowMerges();
      await research.stop();
      await sessions.close();
      await archive.close();
      guide.guide.closeAll();
    },
  };
}
