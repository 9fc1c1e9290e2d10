/** The shape of a router's snapshot; a newer or damaged one is refused as a whole. */
import * as z from "zod";
import { type DomainError, invalidInput, Message, RoleName, type SessionId } from "../../contract/index.ts";

const SavedRouter = z.object({
  version: z.literal(1),
  session: z.string(),
  pending: z.array(Message),
  routes: z.array(
    z.object({
      key: z.string(),
      to: RoleName,
      intent: z.string(),
      domain: z.string(),
      confidence: z.number(),
      leftMs: z.number(),
    }),
  ),
  corrections: z.array(z.object({ text: z.string(), to: RoleName })),
  state: z.object({ turns: z.int(), lastTarget: RoleName.optional(), lastIntent: z.string().optional() }),
});
export type SavedRouter = z.infer<typeof SavedRouter>;

export function readSavedRouter(saved: unknown, session: SessionId): SavedRouter {
  const read = SavedRouter.safeParse(saved);
  if (!read.success) throw refusal(`it is not a router's snapshot: ${read.error.issues[0]?.message ?? "unreadable"}`);
  if (read.data.session !== session) throw refusal(`it belongs to ${read.data.session}, not to ${session}`);
  return read.data;
}

function refusal(why: string): DomainError {
  return invalidInput("saved", why, { sentence: `the saved routes cannot be restored: ${why}` });
}
