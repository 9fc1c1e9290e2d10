/**
 * Is there an order of these calls, each at one instant between its call and its answer, that a single-threaded model
 * would have answered in the same way? The search of Wing and Gong with Lowe's memory of places already tried.
 *
 *   calls that may come next -> the model agrees? -> changes nothing: taken at once
 *                                                 -> changes something: tried, and taken back when the rest does not fit
 *
 * Taking a call that changes nothing at once loses no order: whatever order exists, that call may be moved to its front.
 */
export type Timed = {
  /** On one clock for all processes, see racer.ts. */
  readonly calledAt: number;
  readonly answeredAt: number;
};

export type Model<State, Call> = {
  readonly initial: State;
  /** The state after the call, or undefined when this state would have answered otherwise. */
  apply(state: State, call: Call): State | undefined;
  nameOf(state: State): string;
};

export type Verdict<Call> =
  | { readonly ok: true; readonly order: readonly Call[] }
  /** The longest order that was found, the state it led to, and the calls of which one had to come next. */
  | { readonly ok: false; readonly order: readonly Call[]; readonly state: string; readonly stuckAt: readonly Call[] };

/** Beyond it the search is given up: a history that costs so much is refused, never waved through. */
const mostSteps = 200_000;

export function linearize<State, Call extends Timed>(
  calls: readonly Call[],
  { initial, apply, nameOf }: Model<State, Call>,
): Verdict<Call> {
  const sorted = calls.toSorted((a, b) => a.calledAt - b.calledAt || a.answeredAt - b.answeredAt);
  const placed = new Uint8Array(sorted.length);
  const tried = new Set<string>();
  const order: number[] = [];
  let furthest: { order: readonly number[]; state: string; stuckAt: readonly number[] } | undefined;
  let steps = 0;

  /** Every call that began before the first of the missing answers. */
  function next(): readonly number[] {
    let firstAnswer = Infinity;
    for (let at = 0; at < sorted.length; at++)
      if (placed[at] === 0) firstAnswer = Math.min(firstAnswer, sorted[at]!.answeredAt);
    const found: number[] = [];
    for (let at = 0; at < sorted.length && sorted[at]!.calledAt <= firstAnswer; at++)
      if (placed[at] === 0) found.push(at);
    return found.sort((a, b) => sorted[a]!.answeredAt - sorted[b]!.answeredAt);
  }

  function place(at: number): void {
    placed[at] = 1;
    order.push(at);
  }

  function takeBackTo(length: number): void {
    while (order.length > length) placed[order.pop()!] = 0;
  }

  /** Places all calls that fit here and change nothing; what is left of the candidates changes something or does not fit. */
  function settle(state: State): readonly number[] {
    for (;;) {
      const candidates = next();
      const harmless = candidates.filter((at) => {
        const after = apply(state, sorted[at]!);
        return after !== undefined && nameOf(after) === nameOf(state);
      });
      if (harmless.length === 0) return candidates;
      for (const at of harmless) place(at);
    }
  }

  function search(state: State): boolean {
    const before = order.length;
    const candidates = settle(state);
    if (order.length === sorted.length) return true;
    const here = `${nameOf(state)}|${placed.join("")}`;
    if (!tried.has(here) && steps < mostSteps) {
      tried.add(here);
      for (const at of candidates) {
        const after = apply(state, sorted[at]!);
        steps++;
        if (after === undefined) continue;
        place(at);
        if (search(after)) return true;
        takeBackTo(order.length - 1);
      }
      if (furthest === undefined || order.length > furthest.order.length)
        furthest = { order: [...order], state: nameOf(state), stuckAt: candidates };
    }
    takeBackTo(before);
    return false;
  }

  const named = (places: readonly number[]): readonly Call[] => places.map((at) => sorted[at]!);
  if (search(initial)) return { ok: true, order: named(order) };
  const { order: best, state, stuckAt } = furthest!;
  return { ok: false, order: named(best), state, stuckAt: named(stuckAt) };
}
