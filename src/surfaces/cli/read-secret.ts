/**
 * A secret from standard input, so that no list of processes and no shell history shows it: the first line of a pipe,
 * or what is typed at a terminal, where it is not shown.
 */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { invalidInput } from "../../contract/errors.ts";

export async function readSecret(prompt: string, stdin: NodeJS.ReadStream = process.stdin): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: stdin.isTTY });
  if (stdin.isTTY) process.stderr.write(prompt); // asked for only now: the terminal shows nothing any more
  try {
    for await (const line of lines) if (line.trim() !== "") return line.trim();
  } finally {
    lines.close();
    if (stdin.isTTY) process.stderr.write("\n");
  }
  throw invalidInput("key", "is empty", {
    sentence: "Standard input was empty; pipe the key in, or type it and press Enter",
  });
}
