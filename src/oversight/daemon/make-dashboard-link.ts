/** The link that signs a browser in. */
import { DomainError, type OutputOf } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";

export type DashboardLinkPorts = {
  /** Where the daemon listens; null while it does not listen on TCP. */
  readonly url: () => string | null;
  /** Names under which a tunnel reaches the page. */
  readonly allowedHosts: () => readonly string[];
  readonly makeLink: () => { readonly code: string; readonly expiresAt: number };
};

/** A browser that opens the link has the user's authority: each link is audited. */
export async function makeDashboardLink(
  { caller, transact }: Call<{ readonly audit: AuditRepository }>,
  { url, allowedHosts, makeLink }: DashboardLinkPorts,
): Promise<OutputOf<"dashboard.link">> {
  const address = url();
  if (address === null)
    throw new DomainError(
      "settings.invalid",
      'The page needs HTTP, which is switched off; set "http.enabled" to true, then "sylk down" and "sylk up"',
      { details: { problems: [{ key: "http.enabled", message: "is false" }] } },
    );
  await transact("dashboard", (tx) =>
    tx.audit.append({ actor: actorOf(caller), action: "dashboard.link-made", subject: "user", project: undefined }),
  );
  const { code, expiresAt } = makeLink();
  const path = `/signin?code=${code}`;
  return { url: `${address}${path}`, elsewhere: allowedHosts().map((host) => `https://${host}${path}`), expiresAt };
}
