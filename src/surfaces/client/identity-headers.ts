/** Whom a call is for, as headers. Values are percent-encoded, because a path or a session key may hold any character. */
import type { ClientSession, NeedsAgent } from "../../contract/index.ts";

export type CallIdentity = {
  readonly token: string;
  /** Folder of the project that the user's calls are about. */
  readonly project?: string | undefined;
  /** Agent (id or name) the user acts for. */
  readonly actAs?: string | undefined;
  /** The client session the user's call comes from. */
  readonly session?: ClientSession | undefined;
  /** Process ids the user's call descends from, the nearest first. */
  readonly ancestors?: readonly number[] | undefined;
  /** Of a call over MCP. */
  readonly needsAgent?: NeedsAgent | undefined;
};

export function identityHeaders({ token, project, actAs, session, ancestors = [], needsAgent }: CallIdentity) {
  return {
    authorization: `Bearer ${token}`,
    ...(project === undefined ? {} : { "sylk-project": encodeURIComponent(project) }),
    ...(actAs === undefined ? {} : { "sylk-agent": encodeURIComponent(actAs) }),
    ...(session === undefined ? {} : sessionHeaders(session)),
    ...(ancestors.length === 0 ? {} : { "sylk-ancestors": ancestors.join(",") }),
    ...(needsAgent === undefined ? {} : { "sylk-needs-agent": needsAgent }),
  };
}

function sessionHeaders({ key, client, pid }: ClientSession) {
  return {
    "sylk-session": encodeURIComponent(key),
    "sylk-client": client,
    ...(pid === undefined ? {} : { "sylk-pid": String(pid) }),
  };
}
