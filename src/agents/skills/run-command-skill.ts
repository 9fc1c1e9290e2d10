/** The skill `run_command` of those who take slash commands; an Engineer's command of that name is another skill. */
import { anything, defineSkill, list, optional, text } from "../../knowledge/skills/index.ts";
import { callable, type CallableSkill } from "./callable-skill.ts";
import { parseSlashLine } from "./slash-line.ts";
import type { SlashCommands, Where } from "./slash-commands.ts";

export const runCommand = defineSkill({
  name: "run_command",
  id: "slash.run",
  description: "Execute a slash command. An unknown one is refused with the list of those that are known.",
  domain: "commands",
  keywords: ["slash", "command"],
  tier: "core",
  parameters: {
    command: text("Slash command to execute, for example /status; arguments and --options may follow it"),
    args: optional(list(text("Argument"), "Command arguments")),
    options: optional(anything("Command options")),
  },
  tokens: 121,
});

/** `where` is asked at each call: the session's phase changes. */
export function runCommandSkill(commands: SlashCommands, where: () => Where | Promise<Where>): CallableSkill {
  return callable(runCommand, "change", async ({ command, args = [], options = {} }, call) => {
    const line = parseSlashLine(command.startsWith("/") ? command : `/${command}`);
    const whole = { name: line.name, args: [...line.args, ...args], options: { ...line.options, ...options } };
    return commands.run(whole, await where(), call);
  });
}
