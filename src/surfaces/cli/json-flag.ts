/** A flag whose value is JSON. */
import { DomainError } from "../../contract/errors.ts";

export function jsonFlag(name: string, text: unknown, example: string): unknown {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    const message = `must be JSON, for example ${example}`;
    throw new DomainError("input.invalid", `--${name} ${message}`, {
      details: { problems: [{ path: name, message }] },
      cause,
    });
  }
}
