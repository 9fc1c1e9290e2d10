/** The live store for components: `useLive("agent.list", {})` answers now and draws again when the answer changes. */
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { OperationName, OutputOf, RawInputOf } from "../daemon/contract.ts";
import type { PageClient } from "../daemon/page-daemon.ts";
import type { Answer, AskedQuestion, Connection, LiveStore } from "./live-store.ts";

export type Daemon = { readonly live: LiveStore; readonly client: PageClient };

const DaemonContext = createContext<Daemon | undefined>(undefined);
export const DaemonProvider = DaemonContext.Provider;

export function useDaemon(): Daemon {
  const daemon = useContext(DaemonContext);
  if (daemon === undefined) throw new Error("a component of the page is outside of DaemonProvider");
  return daemon;
}

type Scope = {
  /** Folder and id of the project; absent for all projects. */
  readonly project?: { readonly id: string; readonly path: string } | undefined;
};

/** `input` may be made anew at every drawing: equal inputs are the same question. Undefined asks nothing. */
export function useLive<Name extends OperationName>(
  name: Name,
  input: RawInputOf<Name> | undefined,
  { project }: Scope = {},
): Answer<OutputOf<Name>> {
  const { live } = useDaemon();
  const text = input === undefined ? undefined : JSON.stringify(input);
  const question = useMemo(
    (): (AskedQuestion & { readonly name: Name }) | undefined =>
      text === undefined
        ? undefined
        : { name, input: JSON.parse(text) as Record<string, unknown>, project: project?.path, projectId: project?.id },
    [name, text, project?.path, project?.id],
  );
  const subscribe = useCallback(
    (onChange: () => void) => (question === undefined ? () => {} : live.watch(question, onChange)),
    [live, question],
  );
  return useSyncExternalStore(subscribe, () => (question === undefined ? nothing : live.answer(question)));
}

const nothing = {};

export function useConnection(): Connection {
  const { live } = useDaemon();
  return useSyncExternalStore(live.watchConnection, live.connection);
}
