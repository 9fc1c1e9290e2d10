/** `npm run screenshots`: records the pictures of the documentation again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../flows/run-sylk.ts";
import { recordDashboard } from "./record-dashboard.ts";
import { recordRun, runPicture } from "./record-run.ts";

const file = join(repositoryRoot, runPicture);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, await recordRun());
for (const picture of [runPicture, ...(await recordDashboard(repositoryRoot))])
  console.log(`${picture} is recorded; look at it before you commit it`);
