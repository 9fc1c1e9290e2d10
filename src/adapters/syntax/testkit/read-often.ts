/** A program: reads a Bash script until its lexer would be optimized, and prints the megabytes it took at the most. */
import { existsSync, readFileSync } from "node:fs";
import { systemClock } from "../../../platform/clock/index.ts";
import { openSyntax } from "../index.ts";

const syntax = await openSyntax({ clock: systemClock() });
const script = readFileSync(process.argv[2]!, "utf8").repeat(20);
for (let round = 0; round < 30; round++) syntax.extract("run.sh", script);
console.log(Math.round(mostKilobytes() / 1_024));

/** On Linux the usage of a process begins with that of the one that started it; its own stands in /proc. */
function mostKilobytes(): number {
  const status = "/proc/self/status";
  const own = existsSync(status) ? /VmHWM:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1] : undefined;
  return Number(own ?? process.resourceUsage().maxRSS);
}
