/** One client that looks at one session after the other; each switch puts one down and takes another up, durably. */
import type { Engine } from "../../src/app/library/engine.ts";

export type SwitchFigures = { readonly latenciesMs: readonly number[]; readonly pauses: number };

export async function switchSessions(
  { sessions, project }: Engine,
  { among, switches }: { readonly among: number; readonly switches: number },
): Promise<SwitchFigures> {
  const ids = await Promise.all(
    Array.from({ length: among }, async (_, index) => {
      const { id } = await sessions.create({ project, name: `session ${index}` });
      const context = await sessions.context(id);
      for (let note = 0; note < 20; note++) context.metadata.set(`note ${note}`, "x".repeat(100));
      context.preferences.set("style", `${index}`);
      return id;
    }),
  );
  const latenciesMs: number[] = [];
  let pauses = 0;
  for (let turn = 0; turn < switches; turn++) {
    const begin = performance.now();
    const { previous } = await sessions.switch(ids[turn % among]!, "ada");
    latenciesMs.push(performance.now() - begin);
    if (previous?.state === "paused") pauses++;
  }
  return { latenciesMs, pauses };
}
