/** Door of what every agent has: its definition, its life on the bus, its skills and its slash commands. */
export { type Agent, type AgentBus, createAgent } from "./agent-life.ts";
export { createAgentLoaders } from "./agent-loaders.ts";
export type { CallSkillPorts, SkillPlace } from "./call-skill.ts";
export { callable, type CallableSkill, insideRun, type SkillCall, skillTool } from "./callable-skill.ts";
export { type ConversationSkills, openConversationSkills } from "./conversation-skills.ts";
export { defineRole, type RoleDefinition } from "./define-role.ts";
export { skillHandlers } from "./handlers.ts";
export { createOpenRequests } from "./open-requests.ts";
export { runCommand, runCommandSkill } from "./run-command-skill.ts";
export { type Outgoing, type Reply, type RoutingPort, sharedCallables, withContext } from "./shared-skills.ts";
export { createSkillDesk, type SkillDesk } from "./skill-desk.ts";
export { createSlashCommands, type Phase, type SlashCommand, type SlashCommands } from "./slash-commands.ts";
export { isSlashLine, takingSlashLines, whomFor } from "./slash-requests.ts";
export { reportedRole, type RoleReports } from "./reported-role.ts";
