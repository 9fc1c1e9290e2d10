/** The commands of a day, in the order of use: what `sylk` alone shows. It fits a terminal of 80 by 24. */
import type { CommandWords } from "./command-table.ts";

type DayCommand = readonly [words: CommandWords, what: string];

export const dayCommands: Readonly<Record<string, readonly DayCommand[]>> = {
  Start: [
    ["install", "connect a client: sylk install claude-code"],
    ["doctor", "check the installation; each problem with its fix"],
  ],
  See: [
    ["who", "which agents are live, and on which files they work"],
    ["dashboard", "open the same in a browser"],
  ],
  "Work together": [
    ["reserve", "hold files, so that no other agent writes them"],
    ["ready", "list the work items that you can claim"],
    ["claim", "take one of them"],
    ["mail inbox", "read what other agents wrote to you"],
  ],
  Run: [
    ["run", 'turn a request into a verified change: sylk run "…"'],
    ["runs", "list the runs, newest first"],
    ["approvals", "list the decisions that wait for you"],
  ],
  Settle: [
    ["approve", "approve or reject a plan, or answer a question"],
    ["diff", "show the change of a run"],
    ["merge", "merge it into your working tree"],
  ],
};
