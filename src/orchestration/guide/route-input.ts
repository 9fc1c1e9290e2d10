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

export function routeInput(input: string): {
  readonly to: RoleName;
  readonly text: string;
  readonly by: "tag" | "default";
} {
  const [, name, rest = ""] = /^@(?:to|guide):([A-Za-z-]+)\s*(.*)$/s.exec(input.trim()) ?? [];
  if (name === undefined) return { to: "architect", text: input.trim(), by: "default" };
  const to = addressable.find((role) => role === name.toLowerCase());
  if (to === undefined) {
    throw new DomainError(
      "input.invalid",
      `request: there is no agent "${name}" to address; known: ${addressable.join(", ")}`,
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
