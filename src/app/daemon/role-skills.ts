/**
 * The skills of every role, called by name: each does what the operation of the same meaning does, for the same caller.
 *
 *   skill.call (role, name) -> desk: known? may it, in that session? loaded, input checked -> what the role does
 *
 * What acts on a run's own tree or graph refuses outside of one, and says what to do instead.
 */
import { queryContext } from "../../agents/architect/index.ts";
import { archivalistCallables, searchHistory } from "../../agents/archivalist/index.ts";
import { consultLibrarian } from "../../agents/engineer/index.ts";
import {
  callable,
  type CallableSkill,
  createSkillDesk,
  insideRun,
  type OpenRequests,
  type RoutingPort,
  sharedCallables,
  showSkill,
} from "../../agents/skills/index.ts";
import { guideCallables } from "../../agents/guide/index.ts";
import { inspectorCallables } from "../../agents/inspector/index.ts";
import { librarianCallables } from "../../agents/librarian/index.ts";
import { orchestratorCallables, type OrchestratorPorts } from "../../agents/orchestrator/index.ts";
import { testerCallables } from "../../agents/tester/index.ts";
import { invalidInput, type MessageId, type SessionId, type SkillRole } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { type GuideDoing, guidePorts, type GuideTerms, sendAs } from "./guide-skills.ts";
import type { Parts, Repositories } from "./parts.ts";
import type { At, RolePortsAt } from "./role-ports.ts";
import { roles } from "./roles.ts";
import type { SkillCatalogue } from "./skills.ts";
import { addressedTo } from "../../orchestration/guide/index.ts";
import type { AgentCall, OperationHandlers } from "../../platform/operations/index.ts";

type Doing = GuideDoing &
  OperationHandlers<
    Repositories,
    "dag.list" | "dag.show" | "dag.cancel" | "dag.pause" | "dag.resume" | "dag.retry" | "dag.skip"
  >;
type Ports = Omit<GuideTerms, "doing"> & {
  readonly doing: Doing;
  readonly catalogue: SkillCatalogue;
  readonly portsAt: RolePortsAt;
  readonly sessionOf: (call: AgentCall<Repositories>) => Promise<SessionId>;
};

const mostGraphs = 20;
const mostAgents = 1_000;
const onlyInRuns = {
  engineer:
    'an Engineer works in the tree of its run: sylk run "…" starts one; to read a file: sylk skills call get_file --role librarian',
  architect: 'a plan belongs to a run: sylk run "…" starts one',
} as const;

export function roleSkillHandlers(
  { store }: Pick<Parts, "store">,
  ports: Ports,
): OperationHandlers<Repositories, "skill.call"> {
  const openRequests = createOpenRequests();
  return {
    async "skill.call"({ name, role, input, session: wanted }, given) {
      // What is kept for a repeated call is the whole answer, not that of the operation below.
      const call = { ...given, transact: store.transact };
      const { files } = await ports.catalogue(role, undefined, call.caller);
      const { name: skill } = showSkill(name, { role: { ...roles[role], name: role }, files }).skill;
      if (wanted !== undefined) await ports.doing["session.get"]({ id: wanted }, call);
      const own = await ports.sessionOf(call);
      const session = wanted ?? own;
      const at = { session, tree: call.caller.tree, project: call.caller.project.id };
      const shared = sharedCallables(routingOf(role, call, ports), openRequests(own, role));
      const desk = createSkillDesk({
        role: roles[role],
        session: own,
        callable: withRest(role, [...shared, ...callablesOf(role, at, call, ports)]),
        files: files.skills,
      });
      const { signal = new AbortController().signal } = call;
      return { skill, result: await desk.call(skill, input, { session, signal }) };
    },
  };
}

function callablesOf(role: SkillRole, at: At, call: AgentCall<Repositories>, ports: Ports): readonly CallableSkill[] {
  const here = ports.portsAt(at);
  const slash = (): CallableSkill => ports.slash.skill(role, at);
  const consulted = {
    librarian: (query: string) => here.search(query),
    archivalist: (query: string) => searchHistory(query, here),
  };
  const own: Readonly<Record<SkillRole, () => readonly CallableSkill[]>> = {
    guide: () => guideCallables(guidePorts(at.session, call, ports)),
    architect: () => [
      slash(),
      callable(queryContext, "read", ({ query, source = "librarian" }) => consulted[source](query)),
    ],
    orchestrator: () => orchestratorCallables(graphsOf(call, ports.doing)),
    engineer: () => [callable(consultLibrarian, "read", ({ query }) => consulted.librarian(query))],
    inspector: () => [slash(), ...inspectorCallables(here)],
    tester: () => [slash(), ...testerCallables(here)],
    librarian: () => [slash(), ...librarianCallables(here)],
    archivalist: () => archivalistCallables(here),
  };
  return own[role]();
}

/** Engineers and Architects live in runs: what they have beside the given ones acts there. */
function withRest(role: SkillRole, given: readonly CallableSkill[]): readonly CallableSkill[] {
  if (role !== "engineer" && role !== "architect") return given;
  const known = new Set(given.map(({ skill }) => skill.name));
  const { core, extended } = roles[role];
  const rest = [...core, ...extended].filter(({ name }) => !known.has(name));
  return [...given, ...rest.map((skill) => insideRun(skill, onlyInRuns[role]))];
}

function graphsOf(call: AgentCall<Repositories>, doing: Doing): OrchestratorPorts {
  return {
    list: (session) => doing["dag.list"]({ session, limit: mostGraphs }, call),
    show: (id, node) => doing["dag.show"]({ id, ...defined({ node }) }, call),
    cancel: (id) => doing["dag.cancel"]({ id }, call),
    pause: (id) => doing["dag.pause"]({ id, abort: false }, call),
    resume: (id) => doing["dag.resume"]({ id }, call),
    retry: (id, node) => doing["dag.retry"]({ id, node }, call),
    skip: (id, node, treatAsDone) => doing["dag.skip"]({ id, node, treatAsDone }, call),
  };
}

/** Words pass the Guide as everybody's do. */
function routingOf(role: SkillRole, call: AgentCall<Repositories>, { doing, routerFor }: Ports): RoutingPort {
  return {
    async route({ to, message }) {
      const answer = await sendAs(call, doing)(addressedTo(to, message));
      return { correlationId: answer.correlationId, answer };
    },
    async reply({ session, correlationId, response }) {
      const answer = { type: "USER_RESPONSE", payload: { text: response } } as const;
      if ((await routerFor(session)).reply(correlationId as MessageId, role, answer)) return;
      const message = `nobody waits for an answer to "${correlationId}" any more`;
      throw invalidInput("correlation_id", message, { sentence: message });
    },
  };
}

/** What an agent has taken is open until it answers, over its calls; the longest unused are forgotten. */
function createOpenRequests(): (session: SessionId, role: SkillRole) => OpenRequests {
  const byAgent = new Map<string, OpenRequests>();
  return (session, role) => {
    const key = `${session} ${role}`;
    const open = byAgent.get(key) ?? new Map();
    byAgent.delete(key);
    byAgent.set(key, open);
    if (byAgent.size > mostAgents) byAgent.delete(byAgent.keys().next().value!);
    return open;
  };
}
