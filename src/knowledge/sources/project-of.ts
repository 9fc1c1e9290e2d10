/** The project whose sources a call is about. */
import { type Caller, DomainError, type ProjectId } from "../../contract/index.ts";

export function projectOf({ project }: Pick<Caller, "project">): ProjectId {
  if (project !== undefined) return project.id;
  throw new DomainError(
    "agent.unknown-project",
    'Research needs a project: send the folder in the header "sylk-project", or use an agent\'s token',
    { details: { header: "sylk-project" } },
  );
}
