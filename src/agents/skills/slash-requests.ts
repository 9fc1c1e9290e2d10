/**
 * Slash lines typed as a question: which agent they are for, and how it answers them.
 *
 *   "/issues"               -> the agent that has it -> "@to:inspector /issues"
 *   "@to:tester /issues"    -> stays: the tester's run_command carries it out
 *   two agents have it      -> the addressed one, the one of the session's phase, or a question back
 */
import { DomainError, invalidInput, type Message, type RoleName } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import { asPlainLines } from "./plain-lines.ts";
import type { Phase, SlashCommands } from "./slash-commands.ts";
import { parseSlashLine } from "./slash-line.ts";

type Asked = {
  readonly text: string;
  /** Named by a tag; none without one. */
  readonly addressed: readonly RoleName[];
};
type Where = {
  readonly commands: SlashCommands;
  /** Roles with the skill run_command. */
  readonly takers: readonly RoleName[];
  readonly phase: Phase | undefined;
};

export function isSlashLine(text: string): boolean {
  return /^\/[a-z][a-z0-9-]*(?:\s|$)/i.test(text);
}

/** The agent that carries the line out. Refuses an unknown command, and asks back where two agents have it. */
export function whomFor({ text, addressed }: Asked, { commands, takers, phase }: Where): readonly RoleName[] {
  const deaf = addressed.find((role) => !takers.includes(role));
  if (deaf !== undefined)
    throw invalid(`the ${deaf} takes no slash commands; those who do: ${takers.join(", ")}, or write it without a tag`);
  const meant = commands.resolve(parseSlashLine(text).name, { addressed: addressed[0], phase });
  if (addressed.length > 0) return addressed;
  if (!("kind" in meant)) return [meant.agent];
  const ways = meant.options.map(({ write }) => `"${write}"`).join(" or ");
  throw new DomainError("route.unsure", `${meant.question} Write ${ways}`, {
    details: { to: meant.options[0]!.agent, candidates: meant.options },
  });
}

/** The handler, with slash lines carried out before it sees them. */
export function takingSlashLines(
  handler: RoleHandler,
  run: (line: string, message: Message, signal: AbortSignal) => Promise<unknown>,
): RoleHandler {
  return async (message, signal) => {
    if (message.type !== "USER_INPUT" || !isSlashLine(message.payload.text)) return handler(message, signal);
    const result = await run(message.payload.text, message, signal);
    const data = JSON.parse(JSON.stringify(result)) as Record<string, unknown>; // what is not there is left out
    return { type: "USER_RESPONSE", payload: isAnswer(data) ? data : { text: asPlainLines(data), data } };
  };
}

/** Who has words for what was found has said it in them. */
function isAnswer(data: Record<string, unknown>): data is { text: string; data: Record<string, unknown> } {
  return typeof data.text === "string" && typeof data.data === "object" && Object.keys(data).length === 2;
}

function invalid(message: string): DomainError {
  return invalidInput("input", message, { sentence: message });
}
