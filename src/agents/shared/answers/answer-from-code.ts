/**
 * The Librarian outside of a run: a question about the code, answered from the index of the asker's tree.
 *
 *   USER_INPUT -> the places that fit best -> USER_RESPONSE
 *   TOOLS_REQUEST -> scan_tools of the folder that it names -> TOOLS_RESPONSE
 *   CONTEXT_REQUEST of another role -> files with what is in them -> CONTEXT_RESPONSE
 */
import type { Message, ToolScan, ToolScanRequest } from "../../../contract/index.ts";
import type { CodeLook } from "../../../knowledge/code-index/index.ts";
import { answerMessages, type RoleHandler } from "../../../orchestration/guide/index.ts";
import { contextFor, searchPlaces } from "../code-look/index.ts";

type Ports = {
  readonly lookOf: (message: Message) => CodeLook;
  readonly scanTools: (request: ToolScanRequest) => Promise<ToolScan>;
};

export function answerFromCode({ lookOf, scanTools }: Ports): RoleHandler {
  return answerMessages({
    async CONTEXT_REQUEST(message) {
      return { type: "CONTEXT_RESPONSE", payload: await contextFor(message.payload.question, lookOf(message)) };
    },
    async TOOLS_REQUEST({ payload }) {
      return { type: "TOOLS_RESPONSE", payload: await scanTools(payload) };
    },
    async USER_INPUT(message) {
      return { type: "USER_RESPONSE", payload: await searchPlaces(message.payload.text, lookOf(message)) };
    },
  });
}
