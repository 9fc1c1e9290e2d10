/** Reads what a request says about its sender; nothing of it is trusted yet. */
import type { FastifyRequest } from "fastify";
import {
  ClientName,
  type ClientSession,
  type Credentials,
  type DomainError,
  invalidInput,
  type NeedsAgent,
} from "../../contract/index.ts";

type Headers = FastifyRequest["headers"];

export function credentialsOf({ headers }: FastifyRequest): Credentials {
  const [, token] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? "") ?? [];
  return {
    token,
    projectPath: decoded(headers, "sylk-project"),
    actAs: decoded(headers, "sylk-agent"),
    session: sessionOf(headers),
    ancestors: ancestorsOf(headers["sylk-ancestors"]),
    needsAgent: needsAgentOf(headers["sylk-needs-agent"]),
  };
}

function needsAgentOf(value: string | string[] | undefined): NeedsAgent | undefined {
  if (value === undefined || value === "to-act" || value === "to-change") return value;
  throw invalid("sylk-needs-agent", "must be to-act or to-change");
}

function sessionOf(headers: Headers): ClientSession | undefined {
  const key = decoded(headers, "sylk-session");
  if (key === undefined) return undefined;
  if (key === "" || key.length > 200) throw invalid("sylk-session", "must be 1 to 200 characters");
  const client = ClientName.safeParse(headers["sylk-client"]);
  if (!client.success)
    throw invalid("sylk-client", "must be a client: lower-case letters, digits and dashes, 40 at the most");
  const pid = headers["sylk-pid"];
  if (pid === undefined) return { key, client: client.data };
  if (!/^[1-9]\d{0,9}$/.test(String(pid))) throw invalid("sylk-pid", "must be a process id");
  return { key, client: client.data, pid: Number(pid) };
}

function ancestorsOf(value: string | string[] | undefined): readonly number[] | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,10}(,\d{1,10}){0,63}$/.test(String(value)))
    throw invalid("sylk-ancestors", "must be process ids with commas between them, 64 at the most");
  return String(value).split(",").map(Number);
}

/** Header values are percent-encoded, because a path may hold any character. */
function decoded(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(String(value));
  } catch (cause) {
    throw invalid(name, "is not percent-encoded text", cause);
  }
}

function invalid(name: string, message: string, cause?: unknown): DomainError {
  return invalidInput(name, message, { sentence: `The header ${name} ${message}`, cause });
}
