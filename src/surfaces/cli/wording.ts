/** Times as people say them. */
import { systemClock } from "../../platform/clock/index.ts";

const clock = systemClock();

export function ago(at: number): string {
  return `${span(clock.now() - at)} ago`;
}

export function left(until: number): string {
  return `${span(until - clock.now())} left`;
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
