export { agentTeams } from "./agent-teams.ts";
export { type TeamReport, withAgentTeams } from "./with-agent-teams.ts";
