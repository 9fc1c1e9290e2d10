/**
 * The picture of the README: two client sessions meet in one repository, then a request is run to its end, typed on a
 * real terminal. A scripted model plays the sample scenario; everything else is real.
 *
 * Ids and times differ from run to run, so they are replaced by others of the same length: the same output gives the same
 * picture.
 */
import { stripVTControlCharacters } from "node:util";
import { hookClient } from "../flows/hook-client.ts";
import { openScratchHome } from "../flows/scratch-home.ts";
import { makeShop, shopEnv } from "../flows/scratch-shop.ts";
import { drawSvg } from "./draw-svg.ts";
import { sylkOnPath } from "./run-page.ts";
import { screenOf } from "./screen.ts";
import { recordingFolder, steadyOutput } from "./steady-output.ts";
import { openTerminalShell } from "./terminal-shell.ts";

export const runPicture = "docs/images/run.svg";
const columns = 80;
const request = "Add percentage discounts to the cart and show them on a receipt";

export async function recordRun(): Promise<string> {
  await using home = openScratchHome({ env: shopEnv, under: recordingFolder });
  const { repository } = makeShop(home);
  const env = sylkOnPath(home);
  await home.sylk(["install", "claude-code", "--yes"], { cwd: repository });
  const [first, second] = ["monday", "tuesday"].map((session) => hookClient({ session, repository, env }));
  await first!.start();
  await second!.start();
  await first!.edit("src/cart.ts");
  const denied = await second!.edit("src/cart.ts");
  if (denied.code !== 2) throw new Error(`the second session was not denied: ${JSON.stringify(denied)}`);
  await using shell = await openTerminalShell({ cwd: repository, env, columns });
  for (const command of ["sylk who", `sylk run "${request}" --rehearse --yes`]) {
    const { exitCode, output } = await shell.type(command);
    if (exitCode !== 0) throw new Error(`"${command}" ended with ${exitCode}: ${stripVTControlCharacters(output)}`);
  }
  const screen = screenOf(steadyOutput(shell.output()).replaceAll(/\b\d( s ago)/g, "0$1"), columns).slice(0, -1);
  return drawSvg(screen, { columns, title: `sylk who, and sylk run "${request}"` });
}
