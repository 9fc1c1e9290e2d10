/** The Academic's model: one question in a process of its own; its failure is the role's, told as one. */
import type { SourcePorts } from "../../knowledge/sources/index.ts";
import type { PromptPort } from "../../orchestration/executors/index.ts";
import { asUnavailable } from "../shared/answers/index.ts";

const answerMs = 120_000;

export function writeByModel(prompts: PromptPort): SourcePorts["write"] {
  return (request) =>
    prompts.answer({ ...request, role: "academic", timeoutMs: answerMs }).catch((error: unknown) => {
      throw asUnavailable(error, "academic");
    });
}
