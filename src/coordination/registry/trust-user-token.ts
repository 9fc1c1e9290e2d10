/** The user's token of this home: there is one, and a change of it is audited. */
import { type AuditRepository, theDaemon } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { hashToken } from "../../platform/tokens.ts";
import type { TokenRepository } from "./store.ts";

type TokenStore = Store<{ readonly tokens: TokenRepository; readonly audit: AuditRepository }>;

/** Makes this the user's only token; a token that is known already changes nothing. */
export function trustUserToken(
  token: string,
  { store, clock }: { readonly store: TokenStore; readonly clock: Clock },
): Promise<void> {
  return store.transact("tokens", async (tx) => {
    const hash = hashToken(token);
    if ((await tx.tokens.find(hash)) !== undefined) return;
    await tx.tokens.revokeAllOf(undefined);
    await tx.tokens.issue(hash, undefined, clock.now());
    await tx.audit.append({ actor: theDaemon, action: "user-token.trusted", subject: "user", project: undefined });
  });
}
