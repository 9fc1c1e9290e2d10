/** Where a question is asked: it travels with the question, because a session may be asked from several trees. */
import { type AgentId, type Caller, DomainError, type Message, type ProjectId } from "../../contract/index.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import type { AskTx } from "./ports.ts";

/** Without an id while the project is unknown: a question that is refused does not make one. */
export type Place = Awaited<ReturnType<typeof locateProject>> & {
  readonly project: ProjectId | undefined;
  /** The agent that asks; undefined for a person. */
  readonly agent?: AgentId;
};

/** An agent asks about its own project only. */
export async function placeOf(folder: string, caller: Caller, reader: Pick<AskTx, "projects">): Promise<Place> {
  const { path, name, tree, branch } = await locateProject(folder);
  if (caller.kind === "agent" && caller.project.path !== path)
    throw new DomainError("caller.denied", "An agent may ask about its own project only", {
      details: { needed: "a token of that project" },
    });
  const project = (await reader.projects.findByPath(path))?.id;
  return { path, name, tree, branch, project, ...(caller.kind === "agent" ? { agent: caller.agent.id } : {}) };
}

export function placeIn({ metadata }: Pick<Message, "metadata">): Place {
  return metadata.place as Place;
}

/** Also of a message that no question brought: by the folder it names, else by its session. */
export async function placeOfMessage(
  message: Pick<Message, "metadata" | "payload" | "session">,
  reader: Pick<AskTx, "projects" | "sessions">,
): Promise<{ readonly project: ProjectId | undefined; readonly tree: string }> {
  if (message.metadata.place !== undefined) return placeIn(message);
  const { path: folder } = message.payload;
  if (typeof folder === "string") {
    const { path, tree } = await locateProject(folder);
    return { project: (await reader.projects.findByPath(path))?.id, tree };
  }
  return { project: (await reader.sessions.find(message.session))?.project, tree: "/" };
}
