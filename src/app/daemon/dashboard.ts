/** The link that signs a browser in. */
import { DomainError, type OutputOf } from "../../contract/index.ts";
import type { Repositories } from "./parts.ts";
import { actorOf } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { BrowserSessions } from "../../surfaces/http/index.ts";

/** Where the surfaces listen, once they do. */
export type Address = { url: string | null };

export async function linkTo(
  { url }: Address,
  browserSessions: BrowserSessions,
  { caller, transact }: Call<Repositories>,
): Promise<OutputOf<"dashboard.link">> {
  if (url === null)
    throw new DomainError(
      "settings.invalid",
      'The page needs HTTP, which is switched off; set "http.enabled" to true, then "sylk down" and "sylk up"',
      { details: { problems: [{ key: "http.enabled", message: "is false" }] } },
    );
  // Whoever opens it has the user's authority.
  await transact("dashboard", (tx) =>
    tx.audit.append({ actor: actorOf(caller), action: "dashboard.link-made", subject: "user", project: undefined }),
  );
  const { code, expiresAt } = browserSessions.makeLink();
  return { url: `${url}/signin?code=${code}`, expiresAt };
}
