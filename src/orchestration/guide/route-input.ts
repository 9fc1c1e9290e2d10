/** Which agent a person's request for a run goes to: one named by a tag, or the default. */
import { type DomainError, invalidInput, type RoleName } from "../../contract/index.ts";
import { parseRoute } from "./parse-route.ts";
import { userVocabulary } from "./route-vocabulary.ts";

/** A reviewer that a plugin of some live agent brought along. */
export type KnownReviewer = { readonly name: string; readonly agent: string };

export function routeInput(
  input: string,
  reviewers: readonly KnownReviewer[] = [],
): {
  readonly to: RoleName;
  readonly text: string;
  readonly by: "tag" | "default";
} {
  const route = parseRoute(input, { agents: [...userVocabulary.agents, ...reviewers] });
  if (route.kind === "plain" || route.kind === "classify") return { to: "architect", text: route.text, by: "default" };
  if (route.kind !== "to")
    throw refusal(
      `a run is asked of one agent; write @to:<agent> and what you want`,
      `a ${route.kind} tag starts no run`,
    );
  const reviewer = reviewers.find(({ name }) => name === route.agent);
  if (reviewer !== undefined)
    throw refusal(
      `${reviewer.name} is a reviewer of ${reviewer.agent} and plans nothing; ask for its review: sylk mail send "<what to look at>" --to ${reviewer.agent}`,
      `${reviewer.name} does not plan`,
      { agent: reviewer.agent },
    );
  return { to: route.agent as RoleName, text: route.text, by: "tag" };
}

function refusal(message: string, problem: string, details: Readonly<Record<string, string>> = {}): DomainError {
  return invalidInput("request", problem, { sentence: `request: ${message}`, details: { ...details } });
}
