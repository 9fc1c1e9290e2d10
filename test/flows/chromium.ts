/**
 * A real browser without a driver's package: the machine's own Chromium, headless, told what to do over its debugging
 * socket.
 *
 *   await using browser = await openChromium(daemon);
 *   const page = await browser.open(url);
 *   await page.shows("#agents", "heron");
 */
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startProcess } from "./run-sylk.ts";
import type { ScratchHome } from "./scratch-home.ts";
import { until, within } from "./until.ts";

export type BrowserPage = {
  goTo(url: string): Promise<void>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  text(selector: string): Promise<string>;
  /** Waits until the selected element's text has all the parts. */
  shows(selector: string, ...parts: readonly string[]): Promise<void>;
  look(terms: { readonly width: number; readonly height?: number; readonly scheme?: "light" | "dark" }): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** What the browser logged as an error since the page was opened: a script that failed, a load its policy forbids. */
  readonly complaints: readonly string[];
};
export type Chromium = AsyncDisposable & { open(url: string): Promise<BrowserPage> };

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--hide-scrollbars",
  "--remote-debugging-port=0",
];

export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "chromium")).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Its environment is the scratch home's, so that whatever it leaves is ended with that. */
export async function openChromium({ root, env }: ScratchHome): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), "sylk-chromium-"));
  const started = startProcess(findChromium()!, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
    cwd: root,
    env: { ...env, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  });
  void started.ended.catch(() => {}); // seen as an address that never comes
  const address = await until(
    "the browser says where it listens",
    () => /DevTools listening on (ws:\S+)/.exec(started.errors())?.[1],
  );
  const socket = await connect(address);
  return {
    async open(url) {
      const { targetId } = await socket.call<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await socket.call<{ sessionId: string }>("Target.attachToTarget", {
        targetId,
        flatten: true,
      });
      const complaints = socket.complaintsOf(sessionId);
      const page = pageOn((method, params) => socket.call(method, params, sessionId), complaints);
      for (const domain of ["Log", "Runtime"]) await socket.call(`${domain}.enable`, {}, sessionId);
      await page.goTo(url);
      return page;
    },
    async [Symbol.asyncDispose]() {
      // Asked, it ends its own processes first; none of them may still write when the folder is removed.
      await socket.call("Browser.close");
      socket.close();
      await within("the browser has ended", started.ended);
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

type Send = <T>(method: string, params?: object) => Promise<T>;

function pageOn(send: Send, complaints: readonly string[]): BrowserPage {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const terms = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await send<Evaluated<T>>("Runtime.evaluate", terms);
    if (exceptionDetails !== undefined)
      throw new Error(`in the page: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  };
  const text = (selector: string): Promise<string> =>
    evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
  return {
    complaints,
    evaluate,
    text,
    async goTo(url) {
      const { errorText } = await send<{ errorText?: string }>("Page.navigate", { url });
      if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
      await until(`${url} is there`, () => evaluate<boolean>('document.readyState === "complete"'));
    },
    async shows(selector, ...parts) {
      let seen = "";
      const has = async (): Promise<boolean> => {
        seen = await text(selector);
        return parts.every((part) => seen.includes(part));
      };
      await until(`${selector} shows ${parts.join(", ")}`, has, { withinMs: 30_000 }).catch((cause: unknown) => {
        throw new Error(`${selector} shows only: ${seen}`, { cause });
      });
    },
    async look({ width, height = 900, scheme = "light" }) {
      await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
      await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    },
    async screenshot(file) {
      const { data } = await send<{ data: string }>("Page.captureScreenshot", { captureBeyondViewport: true });
      writeFileSync(file, data, "base64");
    },
  };
}

type Evaluated<T> = {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
};
type Answer = { readonly id?: number; readonly result?: unknown; readonly error?: { readonly message: string } };
type Notice = {
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: {
    readonly entry?: { readonly level: string; readonly text: string; readonly url?: string };
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
  };
};

async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const complaints = new Map<string, string[]>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error, ...notice } = JSON.parse(String(data)) as Answer & Notice;
    const complaint = complaintIn(notice);
    if (complaint !== undefined) complaints.get(notice.sessionId ?? "")?.push(complaint);
    const call = id === undefined ? undefined : waiting.get(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  });
  const opened = new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`no connection to ${address}`)));
  });
  await within("the browser's socket opens", opened);
  let calls = 0;
  return {
    async call<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
      const id = ++calls;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      return (await within(`the browser answers ${method}`, answer.promise)) as T;
    },
    complaintsOf(sessionId: string): readonly string[] {
      const all: string[] = [];
      complaints.set(sessionId, all);
      return all;
    },
    close: () => socket.close(),
  };
}

function complaintIn({ params: { entry, exceptionDetails } = {} }: Notice): string | undefined {
  if (exceptionDetails !== undefined) return exceptionDetails.exception?.description ?? exceptionDetails.text;
  return entry?.level === "error" ? `${entry.text} ${entry.url ?? ""}` : undefined;
}
