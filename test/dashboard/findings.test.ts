/** Findings in a real browser against a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RawInputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
let heron: ScratchAgent;

const publish = async (terms: Partial<RawInputOf<"finding.add">>, { client }: ScratchAgent = heron) =>
  (
    await client.call("finding.add", {
      summary: "it is broken",
      severity: "important",
      category: "correctness",
      ...terms,
    })
  ).finding;
const stored = async (id: string) => (await daemon.user.call("finding.get", { id: id })).finding;

describe("Findings", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
    heron = await daemon.register("heron", { client: "codex" });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says what to type while there is none, then shows findings by severity or by file, without a reload [DASH-7]", async () => {
    const page = await browser.openDashboard("/findings");
    await page.getByText("sylk finding add").waitFor();
    await browser.expectSound(page, "findings-empty");
    await publish({ summary: "prices are rounded", severity: "important", files: [{ path: "src/price.ts", line: 7 }] });
    await page.getByRole("list", { name: "Important" }).getByText("prices are rounded").waitFor();
    await publish({
      summary: "parse() drops the last order",
      severity: "blocking",
      files: [{ path: "src/orders.ts", line: 42 }],
    });
    await page.getByRole("list", { name: "Blocking" }).getByText("parse() drops the last order").waitFor();
    await page.getByLabel("Group by").selectOption("file");
    await page.getByRole("list", { name: "src/orders.ts" }).getByText("src/orders.ts:42").waitFor();
    expect(new URL(page.url()).search).toBe("?by=file");
    await browser.expectSound(page, "findings");
  });

  it("filters by severity, status, file and words, and the address keeps the filter [DASH-7, DASH-14]", async () => {
    await publish({
      summary: "a note",
      severity: "informational",
      category: "style",
      files: [{ path: "src/note.ts" }],
    });
    const page = await browser.openDashboard("/findings?severity=informational");
    await page.getByText("a note").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "prices" }).count()).toBe(0);
    await page.getByLabel("severity", { exact: true }).selectOption("");
    await page.getByText("prices are rounded").waitFor();
    await page.getByRole("searchbox", { name: "File" }).fill("src/note.ts");
    await page.getByText("prices are rounded").waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Text" }).fill("no such word");
    await page.getByText("No finding matches these filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("text")).toBe("no such word");
    await page.getByRole("link", { name: "Show all findings" }).click();
    await page.getByText("prices are rounded").waitFor();
    const refused = await browser.openDashboard("/findings?status=strange");
    await refused.getByRole("alert").waitFor();
  });

  it("decides on a finding with a reason, makes a work item of it, and shows a refusal [DASH-7, DASH-18]", async () => {
    const otter = await daemon.register("otter");
    const place = { category: "security", files: [{ path: "src/pay.ts", line: 3 }] };
    const { id } = await publish({
      summary: "the key is logged",
      severity: "blocking",
      evidence: "key=1234",
      ...place,
    });
    await publish({ summary: "key in the log", ...place }, otter);
    const page = await browser.openDashboard(`/findings/${id}`, { viewport: { width: 360, height: 800 } });
    await page.getByText("key=1234").waitFor();
    await page.getByText("Reporters, 2 of them independent").waitFor();
    await page.getByText("holds for the finding with 2 reports, for all agents of shop").waitFor();
    expect(await page.getByRole("link", { name: "Open the file" }).getAttribute("href")).toBe("/files/src%2Fpay.ts");
    expect(await page.getByRole("button", { name: "Accept" }).isEnabled()).toBe(false);
    await page.getByRole("textbox", { name: "Reason" }).fill("seen in the log");
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("The finding is accepted.").waitFor();
    expect(await stored(id)).toMatchObject({ status: "accepted", mark: { why: "seen in the log" } });
    await page.getByRole("button", { name: "Make a work item" }).click();
    const item = page.getByRole("dialog").getByRole("link", { name: /^wrk_/ });
    await item.waitFor();
    expect((await stored(id)).workItem).toBe(await item.textContent());
    await browser.expectSound(page, "finding");
    await page.getByRole("textbox", { name: "Reason" }).fill("x".repeat(2_001));
    await page.getByRole("button", { name: "Discard" }).click();
    await page.locator(".notice.bad").getByText("why").waitFor();
    expect((await stored(id)).status).toBe("accepted");
    await page.getByRole("textbox", { name: "Reason" }).fill("no longer logged");
    await page.getByRole("button", { name: "Fixed" }).click();
    await page.getByText("The finding is fixed.").waitFor();
    const { workItem } = await daemon.user.call("work-item.get", { id: (await stored(id)).workItem! });
    expect(workItem.status).toBe("closed");
    await heron.client.call("finding.mark", { id, status: "discarded", why: "a false alarm" });
    await page.getByRole("dialog").getByText("a false alarm").waitFor();
  });

  it("says of a finding that is gone that it is gone [DASH-14]", async () => {
    const page = await browser.openDashboard("/findings/fnd_01jd8q3m7k4x9t2v5b8n1c");
    await page.getByText(/There is no finding fnd_01jd8q3m7k4x9t2v5b8n1c/).waitFor();
  });

  it("shows hostile words as text, within their row, at every width [DASH-15]", async () => {
    const { id } = await publish({
      summary: `<img src=x onerror=alert(1)> \u202Egnp.exe ${"long".repeat(100)}`.slice(0, 500),
      category: "style",
      files: [{ path: `src/${"deep/".repeat(200)}<b>.ts` }],
      evidence: `</pre><script>alert(1)</script>${"wide ".repeat(3_000)}`,
    });
    const page = await browser.openDashboard("/findings?text=onerror");
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    await browser.expectSound(page, "findings-hostile");
    await page.getByRole("link", { name: /<img/ }).click();
    await page.getByText("</pre><script>alert(1)</script>").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/findings/${id}`);
    await browser.expectSound(page, "finding-hostile");
  });
});
