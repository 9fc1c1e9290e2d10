/** Opens the daemon's log, with the redactor that keeps secrets out of it. */
import type { Clock } from "../../platform/clock/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import { createLog, type FileSink, fileSink, type Log } from "../../platform/log/index.ts";
import { createRedactor, type Redactor } from "../../platform/redact/index.ts";

export function createDaemonLog(
  dir: string,
  settings: Settings,
  clock: Clock,
): { readonly log: Log; readonly redactor: Redactor; readonly logTrouble: FileSink["trouble"]; closeLog(): void } {
  const sink = fileSink({ dir, maxBytes: settings["log.maxBytes"], keep: settings["log.keep"], clock });
  const redactor = createRedactor();
  const log = createLog({ level: settings["log.level"], write: sink.write, clock, redact: redactor.text });
  return { log, redactor, logTrouble: sink.trouble, closeLog: sink.close };
}
