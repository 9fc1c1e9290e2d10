/** The session that the caller looks at: what commands mean that name none. */
import { invalidInput } from "../../contract/errors.ts";
import type { SessionId } from "../../contract/index.ts";
import type { CommandContext } from "./command.ts";

type Fields = Record<string, unknown>;

export async function focusedUnlessNamed(input: Fields, { connect }: CommandContext): Promise<Fields> {
  if (input.id !== undefined) return input;
  const id = await focusedSession(await connect());
  if (id !== undefined) return { ...input, id };
  throw invalidInput("id", "is missing", {
    sentence: 'You have no current session here; name one from "sylk session list", or use "sylk session switch"',
  });
}

/** The session that the caller looks at in this project. */
export async function focusedSession(
  client: Awaited<ReturnType<CommandContext["connect"]>>,
): Promise<SessionId | undefined> {
  return (await client.call("session.list", { limit: 1 })).focused;
}
