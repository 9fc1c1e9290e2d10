/**
 * The daemon's time. The clock of a phone or a laptop may be hours off, and ages are between times of the daemon.
 *
 *   answer that opens the stream -> its Date -> moved on by the browser's clock that never jumps
 */
let known = { at: Date.now(), elapsed: performance.now() };

export function daemonNow(): number {
  return known.at + performance.now() - known.elapsed;
}

/** `date`: an HTTP date, which has whole seconds. Anything else changes nothing. */
export function learnDaemonTime(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (!Number.isNaN(at)) known = { at: at + 500, elapsed: performance.now() };
}
