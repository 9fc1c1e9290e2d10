import { expect, it } from "vitest";
import type { SessionId } from "../../../contract/index.ts";
import type { PromptPort } from "../../../orchestration/executors/index.ts";
import { guideWorld, sessionA, sessionB } from "../../../orchestration/guide/testkit.ts";
import { openRouter, seatSharedRoles } from "./seat-roles.ts";

it("seats Librarian, Academic and Archivalist for all sessions, and Architect, Inspector and Tester once in each", () => {
  const { guide } = guideWorld();
  const taken: string[] = [];
  const takingSlashLines: Parameters<typeof openRouter>[2]["takingSlashLines"] = (role, handler) => {
    taken.push(role);
    return handler;
  };
  const archive = { search: async () => expect.unreachable("nothing is asked") };
  seatSharedRoles(guide, {
    archive,
    index: { ask: () => Promise.reject(new Error("not asked")) },
    scanTools: () => Promise.reject(new Error("not asked")),
    academic: () => Promise.reject(new Error("not asked")),
    takingSlashLines,
  });
  expect(guide.shared().map(({ name }) => name)).toEqual(["librarian", "academic", "archivalist"]);
  const prompts = {} as PromptPort;
  const router = openRouter(sessionA, guide, { prompts, takingSlashLines });
  expect(openRouter(sessionA, guide, { prompts, takingSlashLines })).toBe(router);
  openRouter(sessionB, guide, { prompts, takingSlashLines });
  const own = ["architect", "inspector", "tester"];
  expect(router.agents().map(({ name }) => name)).toEqual(expect.arrayContaining([...own, "librarian", "archivalist"]));
  expect(taken).toEqual(["librarian", "academic", ...own, ...own]);
});

it("answers from the history of the question's project, and with nothing for a project that is not known", async () => {
  const own = "ses_01jd8q3m7k4x9t2v5b8n1c" as SessionId;
  const { guide, terms } = guideWorld();
  const asked: unknown[] = [];
  const archive = {
    async search(query: unknown) {
      asked.push(query);
      return { items: [], about: {} as never };
    },
  };
  seatSharedRoles(guide, {
    archive,
    index: { ask: () => Promise.reject(new Error("not asked")) },
    scanTools: () => Promise.reject(new Error("not asked")),
    academic: () => Promise.reject(new Error("not asked")),
    takingSlashLines: (_, handler) => handler,
  });
  const router = guide.open(own);
  const ask = (project?: string) =>
    router.route("@to:archivalist discounts", { ...terms, metadata: { place: { tree: "/srv", project } } });
  await ask();
  expect(asked).toEqual([]);
  await ask("prj_1");
  expect(asked).toMatchObject([{ project: "prj_1", sessions: [own], words: ["discounts"] }]);
});
