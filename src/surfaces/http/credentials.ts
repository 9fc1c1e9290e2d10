/** What a request says about its sender; nothing of it is trusted yet. */
import type { FastifyRequest } from "fastify";
import { DomainError, type Credentials } from "../../contract/index.ts";

export function credentialsOf({ headers }: FastifyRequest): Credentials {
  const [, token] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? "") ?? [];
  return {
    token,
    projectPath: decoded(headers["sylk-project"], "sylk-project"),
    actAs: decoded(headers["sylk-agent"], "sylk-agent"),
  };
}

/** Header values are percent-encoded, because a path may hold any character. */
function decoded(value: string | string[] | undefined, name: string): string | undefined {
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(String(value));
  } catch (cause) {
    throw new DomainError("input.invalid", `The header ${name} is not percent-encoded text`, {
      details: { problems: [{ path: name, message: "is not percent-encoded text" }] },
      cause,
    });
  }
}
