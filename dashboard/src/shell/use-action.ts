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

export function useAction(): { readonly act: Act; readonly isBusy: boolean } {
  const { client } = useDaemon();
  const say = useSay();
  const [underWay, setUnderWay] = useState(0);
  const act = useCallback<Act>(
    async (name, input, { project, done }) => {
      setUnderWay((count) => count + 1);
      try {
        const output = await client.call(name, input, { project });
        say(done, "good");
        return output;
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), "bad");
        return undefined;
      } finally {
        setUnderWay((count) => count - 1);
      }
    },
    [client, say],
  );
  return { act, isBusy: underWay > 0 };
}
