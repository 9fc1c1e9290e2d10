/**
 * Commits that went past the gate for a given reason while no daemon was there: the launcher kept what it would have sent,
 * and the next daemon enters it into the audit, once. A file that cannot be understood stays where it is, and is named.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { HookPorts } from "./hook-routes.ts";
import { answerHook } from "./answer-hook.ts";

const mostAtOnce = 1_000;

export async function replayOverrides(
  folder: string,
  ports: HookPorts & { readonly onFailed: (file: string, reason: string) => void },
): Promise<number> {
  const client = ports.clients.find(({ name }) => name === "git");
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []; // no commit was made past the gate
    throw error;
  });
  const files = names.filter((name) => /^\d{1,12}-\d{1,10}$/.test(name)).sort();
  let entered = 0;
  for (const name of client === undefined ? [] : files.slice(0, mostAtOnce)) {
    const file = join(folder, name);
    const past = { at: Number(name.split("-")[0]) * 1000, idempotencyKey: `override-${name}` };
    const asked = { client: client!, event: "pre-commit", body: await readFile(file), headers: {}, past };
    const answer = await answerHook({ ...asked, token: ports.userCredentials().token }, ports);
    if (answer.verdict === "deny" || answer.verdict === "degraded") {
      ports.onFailed(file, answer.text);
      continue;
    }
    await rm(file, { force: true });
    entered++;
  }
  return entered;
}
