/** The messages when command and daemon have different versions: both versions, and the way out. */
import { DomainError } from "../../contract/errors.ts";
import type { DaemonRecord } from "../../platform/home/index.ts";
import type { Build } from "./judge-versions.ts";

type Other = { readonly version: string; readonly protocol?: number };

export function tooNew(ours: Build, daemon: Other): DomainError {
  return new DomainError(
    "daemon.version-mismatch",
    `This home is served by Sylk ${daemon.version} and this command is ${ours.version}, which must not replace it; upgrade this command (npm install -g sylk@${daemon.version}), or downgrade on purpose with "sylk down" and "sylk up --downgrade"`,
    { details: { daemon, command: ours } },
  );
}

export function newerNote(ours: Build, daemon: Build): string {
  return `note: the daemon is Sylk ${daemon.version}, this command is ${ours.version}; they are compatible, but upgrade soon: npm install -g sylk@${daemon.version}`;
}

export function replacedNote(ours: Build, old: DaemonRecord, pid: number | undefined): string {
  return `note: the daemon of Sylk ${old.version} (pid ${old.pid}) was replaced by ${ours.version} (pid ${pid ?? "unknown"}); work in progress continues`;
}

export function notReplaced(ours: Build, old: DaemonRecord, withinMs: number): DomainError {
  return new DomainError(
    "daemon.version-mismatch",
    `The daemon of Sylk ${old.version} (pid ${old.pid}) did not stop for ${ours.version} within ${withinMs / 1000} s; "sylk logs" may show why, and "kill -9 ${old.pid}" loses no acknowledged change`,
    { details: { daemon: { version: old.version, protocol: old.protocol }, command: ours } },
  );
}
