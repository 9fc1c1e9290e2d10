/**
 * Questions that are typed faster than they are answered.
 *
 *   ask a -> a runs;  ask b, ask c -> c waits (b is forgotten);  a is answered -> shown, c runs;  c is answered -> shown
 *
 * Invariants: at most one question runs; the newest one is always answered last; an answer to a question that does not run
 * and is not shown changes nothing.
 */
export type Questions<Answer> = {
  readonly running?: string | undefined;
  readonly waiting?: string | undefined;
  readonly shown?: { readonly question: string; readonly answer: Answer } | undefined;
};

export function askQuestion<Answer>(state: Questions<Answer>, question: string): Questions<Answer> {
  if (state.running === undefined) return state.shown?.question === question ? state : { ...state, running: question };
  return { ...state, waiting: state.running === question ? undefined : question };
}

export function takeAnswer<Answer>(state: Questions<Answer>, question: string, answer: Answer): Questions<Answer> {
  if (question === state.running) return { running: state.waiting, shown: { question, answer } };
  // What is shown may be answered anew while nothing else runs: the files have changed.
  if (state.running === undefined && question === state.shown?.question)
    return state.shown.answer === answer ? state : { shown: { question, answer } };
  return state;
}
