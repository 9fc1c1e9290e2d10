/** A program: reads a Bash script until its lexer would be optimized, and prints the megabytes it took at the most. */
import { readFileSync } from "node:fs";
import { systemClock } from "../../../platform/clock/index.ts";
import { openSyntax } from "../index.ts";

const syntax = await openSyntax({ clock: systemClock() });
const script = readFileSync(process.argv[2]!, "utf8").repeat(20);
for (let round = 0; round < 120; round++) syntax.extract("run.sh", script);
console.log(Math.round(process.resourceUsage().maxRSS / 1_024));
