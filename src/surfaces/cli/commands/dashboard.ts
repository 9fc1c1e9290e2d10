/** `sylk dashboard`: the way to the live page. */
import { spawn } from "node:child_process";
import type { WrittenCommand } from "../command.ts";

export const dashboard: WrittenCommand = {
  operation: "dashboard.link",
  example: "sylk dashboard --open",
  details:
    "The browser stays signed in for 12 hours, also over a restart of the daemon. From another device it is reached through a tunnel of your own, under a name of the setting http.allowedHosts.",
  flags: { open: { describe: "also open the link in the default browser" } },
  async run({ connect, flags, json, out }) {
    const link = await (await connect()).call("dashboard.link", {});
    if (json) out.json(link);
    else {
      out.line(link.url);
      for (const url of link.elsewhere) out.line(url);
      out.line(out.paint("dim", "Open it in a browser on this machine within a minute; it works once."));
    }
    if (flags.open === true && !(await startBrowser(link.url)))
      out.note("No program to open links was found; open the link yourself");
  },
};

/** False when there is no such program; what it opens is the desktop's business. */
function startBrowser(url: string): Promise<boolean> {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(opener, [url], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}
