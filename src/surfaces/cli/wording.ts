/** Times as people say them. */
import { systemClock } from "../../platform/clock/index.ts";

const clock = systemClock();

export function ago(at: number): string {
  return `${span(clock.now() - at)} ago`;
}

export function left(until: number): string {
  return `${span(until - clock.now())} left`;
}

export function megabytes(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** `{events: 3, workItems: 1}` as "3 events, 1 work item"; what is not there is not named. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  return named.map(([name, count]) => `${count} ${thing(name, count)}`).join(", ") || "nothing";
}

function thing(name: string, count: number): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("-", " ");
  if (words === "history") return count === 1 ? "history entry" : "history entries";
  const one = words.replace(/s$/, "");
  return count === 1 ? one : `${one}s`;
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
