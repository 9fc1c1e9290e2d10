export { refOf, viewAgent, viewHolder } from "./agent-view.ts";
export { createAuthenticate } from "./authenticate.ts";
export { heartbeatAgent, refuseOthers } from "./heartbeat-agent.ts";
export { findAgent, listAgents, pageOfAgents } from "./list-agents.ts";
export { createLiveness } from "./liveness.ts";
export type { Liveness } from "./liveness.ts";
export { personAt } from "./person-at.ts";
export { ownAgent } from "./own-agent.ts";
export { attachSession, registerAgent } from "./register-agent.ts";
export type { RegistryPorts } from "./ports.ts";
export type {
  AgentRecord,
  AgentRepository,
  ProjectRepository,
  RegistryRepositories,
  TokenRepository,
  WatchedProcess,
} from "./store.ts";
export { sqliteAgents, sqliteProjects, sqliteTokens } from "./store.sqlite.ts";
export { requireLiveAgent } from "./require-live-agent.ts";
export { findProject, possiblePaths, projectLabels } from "./find-project.ts";
export { locateProject } from "./locate-project.ts";
export { treeOfCaller } from "./tree-of-caller.ts";
export { treeOfProject } from "./tree-of-project.ts";
export { ensureProject, ensureProjectAt } from "./projects.ts";
export { agentsNow, projectsWithAgents } from "./agents-now.ts";
export { registryHandlers } from "./handlers.ts";
export { identifyHook } from "./identify-hook.ts";
export { trustUserToken } from "./trust-user-token.ts";
export { writeLastSeen } from "./write-last-seen.ts";
export { knownReviewers } from "./known-reviewers.ts";
