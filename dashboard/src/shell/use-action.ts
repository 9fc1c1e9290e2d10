/**
 * A change that a person asks for. Nothing is shown as done before the daemon has confirmed it; a refusal is shown with the
 * daemon's own words.
 */
import { useCallback, useState } from "react";
import type { OperationName, OutputOf, RawInputOf } from "../daemon/contract.ts";
import { useDaemon } from "../live/live-context.tsx";
import { useSay } from "./notices.tsx";

type Terms = {
  /** Folder of the thing's project, where the change is made as the person of that project. */
  readonly project?: string | undefined;
  /** What to say when it is done. */
  readonly done: string;
};
type Act = <Name extends OperationName>(
  name: Name,
  input: RawInputOf<Name>,
  terms: Terms,
) => Promise<OutputOf<Name> | undefined>;

/** Several calls that are one change to the person. */
type Attempt = <Output>(work: () => Promise<Output>, done: string) => Promise<Output | undefined>;

export function useAction(): { readonly act: Act; readonly attempt: Attempt; readonly isBusy: boolean } {
  const { client } = useDaemon();
  const say = useSay();
  const [underWay, setUnderWay] = useState(0);
  const attempt = useCallback<Attempt>(
    async (work, done) => {
      setUnderWay((count) => count + 1);
      try {
        const output = await work();
        say(done, "good");
        return output;
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), "bad");
        return undefined;
      } finally {
        setUnderWay((count) => count - 1);
      }
    },
    [say],
  );
  const act = useCallback<Act>(
    (name, input, { project, done }) => attempt(() => client.call(name, input, { project }), done),
    [attempt, client],
  );
  return { act, attempt, isBusy: underWay > 0 };
}
