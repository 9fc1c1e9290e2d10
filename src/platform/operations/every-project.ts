/** Lists over all projects of a home are for the person; an agent sees its own project. */
import { type Caller, DomainError } from "../../contract/index.ts";

/** The caller as a list sees it: without a project where all are wanted. */
export function overProjects(caller: Caller, all: boolean | undefined): Caller {
  if (all !== true) return caller;
  if (caller.kind === "user") return { ...caller, project: undefined };
  throw new DomainError("caller.denied", `${caller.agent.name} sees its own project only; leave out "all"`, {
    details: { needed: "the user's token without an agent" },
  });
}
