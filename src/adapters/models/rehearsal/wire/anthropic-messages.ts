/** Anthropic's Messages protocol: POST /v1/messages. */
import * as z from "zod";
import {
  Content,
  inputText,
  pieces,
  rehearsalModel,
  type Reply,
  requestOf,
  type Said,
  type Wire,
} from "../model-request.ts";

const Block = z.union([
  z.object({ type: z.literal("tool_result"), content: Content }),
  z.looseObject({ type: z.string(), text: z.string().optional() }),
]);

const Body = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  messages: z.array(
    z.object({ role: z.enum(["user", "assistant", "system"]), content: z.union([z.string(), z.array(Block)]) }),
  ),
});

export const anthropicMessages: Wire = {
  path: "/v1/messages",
  read(body) {
    const { model, stream, tools = [], messages } = Body.parse(body);
    return requestOf({ model, stream, tools: tools.map(({ name }) => name) }, messages.flatMap(saidIn));
  },
  whole: (reply) => ({
    ...head(reply),
    content: reply.parts.map((part, index) => block(part, index, reply)),
    stop_reason: stopReason(reply),
    usage: { ...inputUsage(reply), output_tokens: reply.usage.output },
  }),
  frames: (reply) =>
    [
      {
        type: "message_start",
        message: { ...head(reply), content: [], stop_reason: null, usage: { ...inputUsage(reply), output_tokens: 0 } },
      },
      { type: "ping" },
      ...reply.parts.flatMap((part, index) => blockEvents(part, index, reply)),
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: reply.usage.output },
      },
      { type: "message_stop" },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  error: (_status, type, message) => ({ type: "error", error: { type, message } }),
};

function saidIn({ role, content }: z.infer<typeof Body>["messages"][number]): Said[] {
  if (role === "assistant") return [{ by: "model", text: "" }];
  if (role === "system") return [{ by: "ignored", text: "" }];
  if (typeof content === "string") return [{ by: "user", text: content }];
  return content.map((block) =>
    block.type === "tool_result"
      ? { by: "tool", text: (block as { content: string }).content }
      : { by: "user", text: (block as { text?: string }).text ?? "" },
  );
}

function head({ id }: Reply) {
  return { id: `msg_${id}`, type: "message", role: "assistant", model: rehearsalModel, stop_sequence: null };
}

type Part = Reply["parts"][number];

function block(part: Part, index: number, reply: Reply) {
  if ("text" in part) return { type: "text", text: part.text };
  // Inputs are values here, not text, so a broken one is text where an object belongs.
  const input: unknown = reply.malformed ? inputText(part.input, reply) : part.input;
  return { type: "tool_use", id: `toolu_${reply.id}_${index}`, name: part.tool, input };
}

function blockEvents(part: Part, index: number, reply: Reply) {
  const isText = "text" in part;
  const start = isText ? { type: "text", text: "" } : { ...block(part, index, reply), input: {} };
  const deltas = isText
    ? pieces(part.text).map((text) => ({ type: "text_delta", text }))
    : pieces(inputText(part.input, reply)).map((json) => ({ type: "input_json_delta", partial_json: json }));
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function stopReason({ parts }: Reply): string {
  return parts.some((part) => "tool" in part) ? "tool_use" : "end_turn";
}

/** Here, other than at OpenAI, what the cache gave or took is not counted as input. */
function inputUsage({ usage: { input, cacheRead, cacheWrite } }: Reply) {
  return {
    input_tokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    ...(cacheRead !== undefined && { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
  };
}
