import { statusline as statusLine } from "../../statusline/index.ts";
import type { WrittenCommand } from "../command.ts";

export const statusline: WrittenCommand = {
  summary: "Print one line for a client's status line: branch, other agents and their files, own claim, runs, trouble",
  example: "echo '{}' | sylk statusline",
  details: "Reads the client's JSON from standard input. Needs no daemon, starts none, and never fails.",
  async run({ env, cwd, out, json }) {
    const line = await statusLine({ env, cwd, stdin: process.stdin });
    if (json) out.json({ line });
    else out.line(line);
  },
};
