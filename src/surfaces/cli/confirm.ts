/** A question that only a person at a terminal can answer; a script says --yes. */
import { createInterface } from "node:readline/promises";
import { invalidInput } from "../../contract/errors.ts";

/** False when the person says no. Without a terminal it is refused, so that no script waits for ever. */
export async function confirm(question: string, { stdin, stderr } = process): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY)
    throw invalidInput("yes", "is needed without a terminal", {
      sentence: "This needs confirmation, and there is no terminal to ask on; add --yes",
    });
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
