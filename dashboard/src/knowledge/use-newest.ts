/** One question of the code at a time; its answer stays up to date while it is shown. */
import { useEffect, useState } from "react";
import type { OperationName, OutputOf, RawInputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import type { Answer } from "../live/live-store.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { askQuestion, type Questions, takeAnswer } from "./take-newest.ts";

export function useNewest<Name extends OperationName>(
  name: Name,
  input: RawInputOf<Name>,
  project: ProjectInView,
): Answer<OutputOf<Name>> {
  const [state, setState] = useState<Questions<Answer<OutputOf<Name>>>>({});
  const question = JSON.stringify(input);
  useEffect(() => setState((now) => askQuestion(now, question)), [question]);
  const watched = state.running ?? state.shown?.question;
  const answer = useLive(name, watched === undefined ? undefined : (JSON.parse(watched) as RawInputOf<Name>), {
    project,
  });
  useEffect(() => {
    if (watched === undefined || (answer.data === undefined && answer.problem === undefined)) return;
    setState((now) => takeAnswer(now, watched, answer));
  }, [watched, answer]);
  return state.shown?.answer ?? {};
}
