/** Which agent a user's words are for: an explicit tag, or the default. The whole grammar comes with the Guide's own part. */
import { DomainError, type RoleName } from "../../contract/index.ts";

const addressable = [
  "architect",
  "librarian",
  "academic",
  "archivalist",
  "inspector",
  "tester",
] as const satisfies readonly RoleName[];

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
  const [, name, rest = ""] = /^@(?:to|guide):([A-Za-z][\w.-]*)\s*(.*)$/s.exec(input.trim()) ?? [];
  if (name === undefined) return { to: "architect", text: input.trim(), by: "default" };
  const to = addressable.find((role) => role === name.toLowerCase());
  const reviewer = reviewers.find((known) => known.name === name.toLowerCase());
  if (to === undefined && reviewer !== undefined)
    throw new DomainError(
      "input.invalid",
      `request: ${reviewer.name} is a reviewer of ${reviewer.agent} and plans nothing; ask for its review: sylk mail send "<what to look at>" --to ${reviewer.agent}`,
      {
        details: { problems: [{ path: "request", message: `${reviewer.name} does not plan` }], agent: reviewer.agent },
      },
    );
  if (to === undefined) {
    throw new DomainError(
      "input.invalid",
      `request: there is no agent "${name}" to address; known: ${[...addressable, ...reviewers.map((known) => known.name)].join(", ")}`,
      {
        details: { problems: [{ path: "request", message: `unknown agent ${name}` }] },
      },
    );
  }
  const text = rest.trim().replace(/^"(.*)"$/s, "$1");
  if (text === "")
    throw new DomainError("input.invalid", "request: the tag is followed by nothing; say what you want", {
      details: { problems: [{ path: "request", message: "empty after its tag" }] },
    });
  return { to, text, by: "tag" };
}
