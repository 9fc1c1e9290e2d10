import { statusline as statusLine } from "../../statusline/index.ts";
import type { WrittenCommand } from "../command.ts";

export const statusline: WrittenCommand = {
  summary: "Print one status line for a client: branch, other agents and their files, your claim, runs, problems",
  example: "echo '{}' | sylk statusline",
  details: "Reads the client's JSON from standard input. Needs no daemon, starts none, and never fails.",
  async run({ env, cwd, out, json }) {
    const line = await statusLine({ env, cwd, stdin: process.stdin });
    if (json) out.json({ line });
    else out.line(line);
  },
};
