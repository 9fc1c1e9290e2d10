/** A flag whose value is JSON. */
import { invalidInput } from "../../contract/errors.ts";

export function jsonFlag(name: string, text: unknown, example: string): unknown {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    const message = `must be JSON, for example ${example}`;
    throw invalidInput(name, message, { sentence: `--${name} ${message}`, cause });
  }
}
