/** A state as a shape and a word: readable without colour. */
import type { ReactNode } from "react";
import { words } from "./wording.ts";

type Tone = "good" | "busy" | "warn" | "bad" | "still";
type Shape = "dot" | "ring" | "half" | "check" | "cross" | "bang" | "bars" | "dash";

const looks: Readonly<Record<string, readonly [Tone, Shape]>> = {
  active: ["good", "dot"],
  idle: ["still", "half"],
  offline: ["warn", "ring"],
  ended: ["still", "dash"],
  planning: ["busy", "half"],
  awaiting_approval: ["warn", "bang"],
  waiting: ["warn", "bang"],
  running: ["busy", "half"],
  queued: ["still", "ring"],
  pending: ["still", "ring"],
  paused: ["still", "bars"],
  blocked: ["warn", "bang"],
  verified: ["good", "check"],
  succeeded: ["good", "check"],
  approved: ["good", "check"],
  answered: ["good", "check"],
  pass: ["good", "check"],
  unverified: ["warn", "bang"],
  failed: ["bad", "cross"],
  fail: ["bad", "cross"],
  rejected: ["bad", "cross"],
  cancelled: ["still", "dash"],
  skipped: ["still", "dash"],
  expired: ["still", "dash"],
  open: ["still", "ring"],
  in_progress: ["busy", "half"],
  closed: ["good", "check"],
  stuck: ["bad", "bang"],
  live: ["good", "dot"],
  connecting: ["still", "ring"],
  reconnecting: ["warn", "half"],
};

const paths: Readonly<Record<Shape, ReactNode>> = {
  dot: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  ring: <circle cx="6" cy="6" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  half: (
    <>
      <circle cx="6" cy="6" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 2.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />
    </>
  ),
  check: <path d="M2.5 6.5 5 9l4.5-6" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  cross: <path d="m3 3 6 6m0-6L3 9" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  bang: <path d="M6 2v5m0 2v1.4" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  bars: <path d="M4 2.5v7m4-7v7" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  dash: <path d="M2.5 6h7" fill="none" stroke="currentColor" strokeWidth="1.8" />,
};

export function StateMark({
  state,
  label,
}: {
  readonly state: string;
  readonly label?: string | undefined;
}): ReactNode {
  const [tone, shape] = looks[state] ?? (["still", "ring"] as const);
  return (
    <span className={`state ${tone}`} data-state={state}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {paths[shape]}
      </svg>
      {label ?? words(state)}
    </span>
  );
}
