/** What questions need of the store and of the Guide. */
import type { SessionId } from "../../contract/index.ts";
import type { ProjectRepository } from "../../coordination/registry/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Guide, GuidePorts, SessionRouter } from "../guide/index.ts";
import type { SessionTx } from "../sessions/index.ts";

export type AskTx = SessionTx & { readonly projects: ProjectRepository };

/** The model that chooses a role where the rules are not sure. */
export type Classifier = {
  readonly provider: string;
  /** Why the last question to it was for nothing. */
  readonly lastFailure: string | undefined;
  readonly classify: NonNullable<GuidePorts["classifyByModel"]>;
};

export type AskPorts<Tx extends AskTx> = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly guide: Guide;
  readonly classifier: Classifier | undefined;
  /** Of a session that is not kept yet, with the roles that answer in it. */
  readonly openRouter: (session: SessionId) => SessionRouter;
  /** Of a session that is kept. */
  readonly routerOf: (session: SessionId) => Promise<SessionRouter>;
  /** Puts the tag of the role that has it in front of a slash line that has no tag. */
  readonly directSlashLine: <Asked extends { readonly input: string }>(
    asked: Asked,
    router: SessionRouter,
  ) => Promise<Asked>;
};
