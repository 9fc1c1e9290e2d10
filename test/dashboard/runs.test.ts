/** Runs, in a real browser against a real daemon with real graphs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DagId } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { shopEnv } from "../flows/scratch-shop.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

describe("Runs", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon({ env: shopEnv });
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says what to type without a run, says when a run is gone, and lists a new graph at once [DASH-2]", async () => {
    const page = await browser.openDashboard("/runs");
    await page.getByText('sylk run "…"').waitFor();
    await startGraph({ only: { run: "true" } }, "first light");
    await page.getByRole("link", { name: "first light" }).waitFor();
    await page.getByRole("listitem").getByText("succeeded").waitFor();
    await page.getByLabel("State").selectOption("succeeded");
    expect(new URL(page.url()).search).toBe("?state=succeeded");
    const gone = await browser.openDashboard("/runs/run_01jd8q3m7k4x9t2v5b8n1c");
    expect(await gone.getByRole("alert").innerText()).toContain("run_01jd8q3m7k4x9t2v5b8n1c");
  });

  it("a graph of 2,000 nodes is folded by level and never drawn whole [DASH-16]", async () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, place) => [
        `n${place}`,
        { run: "true", ...(place < 50 ? { approve: true } : { dependsOn: [`n${place - 50}`] }) },
      ]),
    );
    const id = await startGraph(nodes, "large");
    const page = await browser.openDashboard(`/runs/${id}`);
    await page.locator('.graph-canvas[data-nodes="40"]').waitFor();
    await page.getByRole("link", { name: "Level 2 ·" }).click();
    await page.locator('.graph-canvas[data-nodes="89"]').waitFor();
    expect(new URL(page.url()).searchParams.get("open")).toBe("2");
    await browser.expectSound(page, "large");
    await page.getByRole("link", { name: "Table" }).click();
    await page.getByRole("link", { name: "n0", exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(200);
    await daemon.user.call("dag.cancel", { id });
  });
});

async function startGraph(nodes: Record<string, object>, name = "graph"): Promise<DagId> {
  const project = { path: daemon.repository };
  const policy = { failFast: false };
  return (await daemon.user.call("dag.run", { name, nodes: nodes, project, policy, environment: shopEnv })).dag.id;
}
