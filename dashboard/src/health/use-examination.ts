/** What `sylk doctor` finds: examined when the page opens, for another project, and when the person asks again. */
import { useCallback, useEffect, useState } from "react";
import type { Examination } from "../daemon/contract.ts";
import { useDaemon } from "../live/live-context.tsx";
import type { Answer } from "../live/live-store.ts";
import type { ProjectInView } from "../shell/use-project.ts";

type Examined = { readonly answer: Answer<Examination>; readonly isBusy: boolean; readonly again: () => void };

/** Not kept up to date by events: most of what it looks at lies outside the daemon. */
export function useExamination(project: ProjectInView | undefined): Examined {
  const { client } = useDaemon();
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer<Examination>>({});
  const [isBusy, setBusy] = useState(true);
  const path = project?.path;
  useEffect(() => {
    let isNewest = true;
    const end = (next: Answer<Examination>): void => {
      if (!isNewest) return;
      setAnswer(next);
      setBusy(false);
    };
    setBusy(true);
    client.call("daemon.examine", {}, { project: path }).then(
      (data) => end({ data }),
      (problem: unknown) => end({ problem: problem instanceof Error ? problem : new Error(String(problem)) }),
    );
    return () => {
      isNewest = false;
    };
  }, [client, path, round]);
  return { answer, isBusy, again: useCallback(() => setRound((last) => last + 1), []) };
}
