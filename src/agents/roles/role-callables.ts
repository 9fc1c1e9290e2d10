/**
 * What the skills of every role do outside of runs: each does what the operation of the same meaning does.
 *
 *   role, place, call -> the skills of all agents, the role's own, and refusals for those that act inside a run only
 */
import { invalidInput, type MessageId, type SkillRole } from "../../contract/index.ts";
import { addressedTo } from "../../orchestration/guide/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall, OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { academicCallables } from "../academic/index.ts";
import { queryContext } from "../architect/index.ts";
import { archivalistCallables, historyAsk, searchHistory } from "../archivalist/index.ts";
import { consultLibrarian } from "../engineer/index.ts";
import { guideCallables, type GuideOperations, guidePorts, type GuideSkillPorts, sendAs } from "../guide/index.ts";
import { inspectorCallables } from "../inspector/index.ts";
import { librarianCallables, lookCallables, searchPlaces } from "../shared/code-look/index.ts";
import { orchestratorCallables, type OrchestratorPorts } from "../orchestrator/index.ts";
import {
  callable,
  type CallableSkill,
  type CallSkillPorts,
  createOpenRequests,
  insideRun,
  type RoutingPort,
  sharedCallables,
  type SkillPlace,
} from "../skills/index.ts";
import { testerCallables } from "../tester/index.ts";
import type { RolePortsAt } from "./role-ports.ts";
import { roles } from "./roles.ts";
import type { SlashDesk } from "./slash-desk.ts";

type RoleOperations<Tx> = GuideOperations<Tx> &
  OperationHandlers<Tx, OperationsOn<"history">> &
  OperationHandlers<Tx, "dag.list" | "dag.show" | "dag.cancel" | "dag.pause" | "dag.resume" | "dag.retry" | "dag.skip">;
type RoleCallablePorts<Tx> = Omit<GuideSkillPorts<Tx>, "operations" | "commands"> & {
  readonly operations: RoleOperations<Tx>;
  readonly portsAt: RolePortsAt;
  readonly slash: SlashDesk;
};

const mostGraphs = 20;
const onlyInRuns = {
  engineer:
    'an Engineer works in the tree of its run: sylk run "…" starts one; to read a file: sylk skills call get_file --role librarian',
  architect: 'a plan belongs to a run: sylk run "…" starts one',
} as const;

export function roleCallables<Tx>(ports: RoleCallablePorts<Tx>): CallSkillPorts<Tx>["callablesOf"] {
  const openRequests = createOpenRequests();
  return (role, at, call) => {
    const shared = sharedCallables(routingOf(role, call, ports), openRequests(at.own, role));
    return withRest(role, [...shared, ...callablesOf(role, at, call, ports)]);
  };
}

function callablesOf<Tx>(
  role: SkillRole,
  at: SkillPlace,
  call: AgentCall<Tx>,
  ports: RoleCallablePorts<Tx>,
): readonly CallableSkill[] {
  const here = ports.portsAt(at);
  const history = historyAsk(call, ports.operations);
  const slash = (): CallableSkill => ports.slash.skill(role, at);
  const consulted = {
    librarian: (query: string) => searchPlaces(query, here.look),
    archivalist: (query: string) => searchHistory(query, history),
  };
  const own: Readonly<Record<SkillRole, () => readonly CallableSkill[]>> = {
    guide: () => guideCallables(guidePorts(at.session, call, { ...ports, commands: ports.slash.known })),
    architect: () => [
      slash(),
      ...lookCallables(here.look),
      callable(queryContext, "read", ({ query, source = "librarian" }) => consulted[source](query)),
    ],
    orchestrator: () => orchestratorCallables(graphsOf(call, ports.operations)),
    engineer: () => [
      ...lookCallables(here.look),
      callable(consultLibrarian, "read", ({ query }) => consulted.librarian(query)),
    ],
    inspector: () => [slash(), ...inspectorCallables(here)],
    tester: () => [slash(), ...testerCallables(here)],
    librarian: () => [slash(), ...librarianCallables(here)],
    academic: () => [slash(), ...academicCallables(here)],
    archivalist: () => archivalistCallables(history),
  };
  return own[role]();
}

/** Engineers and Architects work in runs: their other skills act there. */
function withRest(role: SkillRole, given: readonly CallableSkill[]): readonly CallableSkill[] {
  if (role !== "engineer" && role !== "architect") return given;
  const known = new Set(given.map(({ skill }) => skill.name));
  const { core, extended } = roles[role];
  const rest = [...core, ...extended].filter(({ name }) => !known.has(name));
  return [...given, ...rest.map((skill) => insideRun(skill, onlyInRuns[role]))];
}

function graphsOf<Tx>(call: AgentCall<Tx>, operations: RoleOperations<Tx>): OrchestratorPorts {
  return {
    list: (session) => operations["dag.list"]({ session, limit: mostGraphs }, call),
    show: (id, node) => operations["dag.show"]({ id, ...defined({ node }) }, call),
    cancel: (id) => operations["dag.cancel"]({ id }, call),
    pause: (id) => operations["dag.pause"]({ id, abort: false }, call),
    resume: (id) => operations["dag.resume"]({ id }, call),
    retry: (id, node) => operations["dag.retry"]({ id, node }, call),
    skip: (id, node, treatAsDone) => operations["dag.skip"]({ id, node, treatAsDone }, call),
  };
}

/** Messages of skills pass the Guide as all others do. */
function routingOf<Tx>(
  role: SkillRole,
  call: AgentCall<Tx>,
  { operations, routerFor }: RoleCallablePorts<Tx>,
): RoutingPort {
  return {
    async route({ to, message }) {
      const answer = await sendAs(call, operations)(addressedTo(to, message));
      return { correlationId: answer.correlationId, answer };
    },
    async reply({ session, correlationId, response }) {
      const answer = { type: "USER_RESPONSE", payload: { text: response } } as const;
      if ((await routerFor(session)).reply(correlationId as MessageId, role, answer)) return;
      const message = `No request "${correlationId}" waits for an answer`;
      throw invalidInput("correlation_id", message, { sentence: message });
    },
  };
}
