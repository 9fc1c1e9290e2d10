/** Times as people say them. */
import { systemClock } from "../../platform/clock/index.ts";

const clock = systemClock();

export function ago(at: number): string {
  return `${span(clock.now() - at)} ago`;
}

export function left(until: number): string {
  return `${span(until - clock.now())} left`;
}

export function inTime(at: number): string {
  return at <= clock.now() ? "now" : `in ${span(at - clock.now())}`;
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** "30s", "5m", "250ms"; what does not read as a time stays text, so that the daemon names the field it refuses. */
export function duration(text: string): number | string {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  return digits === undefined ? text : Number(digits) * units[unit as keyof typeof units];
}
