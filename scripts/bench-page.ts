/** `npm run bench:page`: makes docs/benchmarks.md of bench/report/page.md and bench/results; measures nothing. */
import { join } from "node:path";
import { writePage } from "../bench/report/write-report.ts";

writePage(join(import.meta.dirname, ".."));
