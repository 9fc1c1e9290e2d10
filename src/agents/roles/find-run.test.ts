import { expect, it } from "vitest";
import type { ProjectId } from "../../contract/index.ts";
import { scratchRuns } from "../../orchestration/runs/testkit.ts";
import { findRun } from "./find-run.ts";

it("finds the named run, else the session's latest, else the project's latest", async () => {
  using at = scratchRuns();
  const first = await at.add();
  const { project, session } = first;
  at.clock.advance(10);
  const later = await at.add({ project });
  const { reader } = at.store;
  expect((await findRun(first.id, { session: later.session, project }, reader)).id).toBe(first.id);
  expect((await findRun(undefined, { session, project }, reader)).id).toBe(first.id);
  expect((await findRun(undefined, { session: at.ids.next("ses"), project }, reader)).id).toBe(later.id);
});

it("refuses a run of another project, text that is not a run's id, and a project without runs", async () => {
  using at = scratchRuns();
  const { id, session, project } = await at.add();
  const { reader } = at.store;
  const find = (wanted: string | undefined, of: ProjectId | undefined) =>
    findRun(wanted, { session, project: of }, reader);
  await expect(find(id, at.ids.next("prj"))).rejects.toThrow(`no run ${id}`);
  await expect(find("latest", project)).rejects.toThrow("no run latest");
  await expect(find(undefined, at.ids.next("prj"))).rejects.toThrow("This project has no run yet");
  await expect(find(undefined, undefined)).rejects.toMatchObject({ code: "run.not-found", details: {} });
});
