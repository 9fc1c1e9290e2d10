/** The same in a browser: the one-time link signs in once, and the page's own requests decide nothing without its header. */
import type { DemoWorld } from "./demo-world.ts";

export type DashboardFacts = { readonly page: number; readonly secondUse: number; readonly foreignChange: number };

export async function showDashboard({ out, user, heron }: DemoWorld): Promise<DashboardFacts> {
  const { url } = await user.call("dashboard.link", {});
  const open = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), { redirect: "manual", ...init });
  const signedIn = await open(url);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const secondUse = (await open(url)).status;
  const page = (await open("/runs", { headers: { cookie } })).status;
  const change = { method: "DELETE", headers: { cookie } };
  const foreignChange = (await open(`/v1/agents/${heron.agent.id}`, change)).status;
  out.line();
  out.line(out.paint("bold", "11  And it can be seen and decided in a browser"));
  out.line(`  link     signs one browser in           ${out.paint("green", "once")}; opened again: ${secondUse}`);
  out.line(`  page     runs, agents, files, inbox     ${page === 200 ? out.paint("green", "live") : page}`);
  out.line(`  cookie   alone, from another page       changes nothing: ${foreignChange}`);
  return { page, secondUse, foreignChange };
}
