/**
 * What its user does in Codex by `/hooks`, without a terminal: Codex names the hooks that it found, and is told to record them
 * as trusted. `sylk install` never does this: whether a hook may run is for the user to say, and to Codex.
 */
import { createInterface } from "node:readline";
import type { SylkProcess } from "../flows/run-sylk.ts";
import { within } from "../flows/until.ts";

type Hook = { readonly key: string; readonly currentHash: string };
type Answer = { readonly id?: number; readonly result?: { readonly data?: readonly { readonly hooks: Hook[] }[] } };

/** `server` is `codex app-server`, with its standard input open. Gives the names of what is trusted now. */
export async function trustCodexHooks(server: SylkProcess, tree: string): Promise<readonly string[]> {
  const answers = new Map<number, (answer: Answer) => void>();
  createInterface({ input: server.child.stdout! }).on("line", (line) => {
    const answer = JSON.parse(line) as Answer;
    answers.get(answer.id ?? -1)?.(answer);
  });
  const send = (message: object): void => void server.child.stdin!.write(`${JSON.stringify(message)}\n`);
  const ask = (method: string, params: object): Promise<Answer> => {
    const id = answers.size;
    const answered = new Promise<Answer>((resolve) => void answers.set(id, resolve));
    send({ id, method, params });
    return within(`Codex answers ${method}`, answered, { withinMs: 60_000 });
  };
  await ask("initialize", { clientInfo: { name: "sylk-tests", version: "1" } });
  send({ method: "initialized" });
  const { result } = await ask("hooks/list", { cwds: [tree] });
  const hooks = (result?.data ?? []).flatMap((found) => found.hooks);
  const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
  await ask("config/batchWrite", { edits: [{ keyPath: "hooks.state", value, mergeStrategy: "upsert" }] });
  server.child.kill();
  await server.ended;
  return Object.keys(value);
}
