/**
 * The Academic: answers from sources, in every session.
 *
 *   USER_INPUT        a question -> research · intent check -> the claim, checked
 *   RESEARCH_REQUEST  of another role -> the answer with its places
 *   TOOLS_REQUEST     of discovery -> recommended tools, where the sources have a clear answer
 */
import {
  DomainError,
  type Message,
  type ResearchAnswer,
  type ToolScan,
  type ToolScanRequest,
} from "../../contract/index.ts";
import type { ResearchDesk } from "../../knowledge/sources/index.ts";
import type { FoundTool } from "../../knowledge/toolchains/index.ts";
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import { clearlyBest, recommendTools, type ToolNames } from "./recommend-tools.ts";
import { usual } from "./skill-handlers.ts";

type Ports = {
  /** Of the project that a message is about; undefined while no project is known there, which then has no source. */
  readonly researchOf: (message: Message) => Promise<ResearchDesk | undefined>;
  readonly toolNames: ToolNames;
  readonly year: () => number;
  /** The scan of the folder again, with these tools as found by research. */
  readonly withResearch: (request: ToolScanRequest, names: readonly FoundTool[]) => Promise<ToolScan>;
};

export function createAcademic({ researchOf, toolNames, year, withResearch }: Ports): RoleHandler {
  const deskOf = async (message: Message): Promise<ResearchDesk> => {
    const desk = await researchOf(message);
    if (desk !== undefined) return desk;
    throw new DomainError("project.not-found", "Research needs a project; ask from inside a repository");
  };
  return answerMessages({
    async USER_INPUT(message, signal) {
      const { text, intent } = message.payload;
      const research = await deskOf(message);
      // A question is not a claim, whatever its words.
      if (intent === "check" && !text.trimEnd().endsWith("?")) {
        const { claim, citations } = await research("research.check", { claim: text.slice(0, 1_000) }, signal);
        const why = claim.reason === undefined ? "" : `\n  why: ${claim.reason}`;
        const told = claim.evidence === undefined ? "" : `\n  source: ${claim.evidence}`;
        return {
          type: "USER_RESPONSE",
          payload: { text: `${claim.kind}: ${claim.text}${told}${why}`, data: { claim, citations } },
        };
      }
      const wanted = (message.metadata.model ?? {}) as { provider?: string; rehearse?: string };
      const { provider, rehearse } = wanted;
      const answer = await research(
        "research.ask",
        { ...usual, question: text.slice(0, 1_000), provider, rehearse },
        signal,
      );
      const { model, label } = answer;
      return {
        type: "USER_RESPONSE",
        payload: {
          text: answer.text,
          data: { ...answer },
          ...(model === undefined ? {} : { model }),
          ...(label === undefined ? {} : { label }),
        },
      };
    },
    async RESEARCH_REQUEST(message, signal) {
      const question = message.payload.question.slice(0, 1_000);
      const answer = await (await deskOf(message))("research.ask", { ...usual, question }, signal);
      return { type: "RESEARCH_RESPONSE", payload: { text: answer.text, sources: placesOf(answer) } };
    },
    async TOOLS_REQUEST(message, signal) {
      const { text: _text, ...request } = message.payload;
      const { category, languages = [] } = request;
      const research = await researchOf(message);
      if (category === "all" || research === undefined)
        return { type: "TOOLS_RESPONSE", payload: await withResearch(request, []) };
      const { recommendations, satisfactory } = await recommendTools(
        { languages, category },
        { research, toolNames, year },
        signal,
      );
      const best = languages.flatMap(
        (language) => clearlyBest(recommendations.filter((one) => one.language === language)) ?? [],
      );
      const found = satisfactory
        ? best.map(({ tool, language, rationale }) => ({ name: tool, language, rationale }))
        : [];
      return { type: "TOOLS_RESPONSE", payload: await withResearch(request, found) };
    },
  });
}

function placesOf({ citations }: ResearchAnswer): string[] {
  return citations.map(({ title, location, lines }) => `${title}  ${location}:${lines.from}-${lines.to}`);
}
