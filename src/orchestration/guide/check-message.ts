/** What the registry says of a message: may this role send this to that one, and is its payload what the type says? */
import { maySend, type Message, messageTerms } from "../../contract/index.ts";

/** A message that cannot be delivered as it is: a defect of the sender, never retried. */
export class Undeliverable extends Error {
  override readonly name = "Undeliverable";
}

export function refuseForbidden({ type, from, to, payload }: Pick<Message, "type" | "from" | "to" | "payload">): void {
  const terms = messageTerms(type);
  if (terms === undefined) throw new Undeliverable(`there is no message type ${type}`);
  if (!maySend(type, from, to)) throw new Undeliverable(`${from} may not send ${type} to ${to}`);
  const checked = terms.payload.safeParse(payload);
  if (checked.success) return;
  const problems = checked.error.issues.map(({ path, message }) => `${path.join(".") || "payload"}: ${message}`);
  throw new Undeliverable(`the payload of ${type} is wrong: ${problems.slice(0, 5).join("; ")}`);
}
