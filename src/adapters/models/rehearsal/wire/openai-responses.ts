/** OpenAI's Responses protocol: POST /v1/responses. Only whole conversations: what was said before is not kept here. */
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

const wholeOnly = "the rehearsal keeps no responses; send the whole conversation";

const Item = z
  .looseObject({ type: z.string().optional(), role: z.string().optional(), content: Content, output: Content })
  .refine(({ type }) => type !== "item_reference", wholeOnly);

const Body = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  input: z.union([
    z.string().transform((content) => [{ role: "user", content, output: "", type: undefined }]),
    z.array(Item),
  ]),
  previous_response_id: z.null({ error: wholeOnly }).optional(),
});

export const openaiResponses: Wire = {
  path: "/v1/responses",
  read(body) {
    const { model, stream, tools = [], input } = Body.parse(body);
    return requestOf({ model, stream, tools: tools.flatMap(({ name }) => name ?? []) }, input.map(said));
  },
  whole: (reply) => ({
    ...head(reply),
    status: "completed",
    output: reply.parts.map((part, index) => item(part, index, reply)),
    ...ending(reply),
  }),
  frames: (reply) =>
    [
      { type: "response.created", response: { ...head(reply), status: "in_progress", output: [] } },
      ...reply.parts.flatMap((part, index) => itemEvents(part, index, reply)),
      { type: "response.completed", response: openaiResponses.whole(reply) },
    ].map((event, index) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`),
  error: (status, type, message) => ({
    error: { message, type, param: null, code: status === 404 ? "model_not_found" : type },
  }),
};

function said({ type, role, content, output }: z.infer<typeof Item>): Said {
  if (type === "function_call_output") return { by: "tool", text: output };
  if (role === "user") return { by: "user", text: content };
  if (role === "assistant" || type === "function_call" || type === "reasoning") return { by: "model", text: "" };
  return { by: "ignored", text: "" };
}

function head({ id, createdAt }: Reply) {
  return { id: `resp_${id}`, object: "response", created_at: createdAt, model: rehearsalModel };
}

type Part = Reply["parts"][number];

function item(part: Part, index: number, reply: Reply) {
  if ("text" in part) {
    const content = [{ type: "output_text", text: part.text, annotations: [] }];
    return { type: "message", id: `msg_${reply.id}_${index}`, role: "assistant", status: "completed", content };
  }
  const ids = { id: `fc_${reply.id}_${index}`, call_id: `call_${reply.id}_${index}` };
  return {
    type: "function_call",
    ...ids,
    ...nameOf(part.tool),
    arguments: inputText(part.input, reply),
    status: "completed",
  };
}

/** Codex offers the tools of an MCP server as a namespace of that name, and wants it named beside the tool. */
function nameOf(tool: string): { readonly name: string; readonly namespace?: string } {
  const [, namespace, name] = /^(mcp__[^_]+(?:_[^_]+)*)__(.+)$/.exec(tool) ?? [];
  return namespace === undefined || name === undefined ? { name: tool } : { name, namespace };
}

function itemEvents(part: Part, index: number, reply: Reply) {
  const done = item(part, index, reply);
  const place = { output_index: index, item_id: done.id };
  const isText = "text" in part;
  const kind = isText ? "response.output_text" : "response.function_call_arguments";
  const text = isText ? part.text : inputText(part.input, reply);
  return [
    {
      type: "response.output_item.added",
      output_index: index,
      item: { ...done, status: "in_progress", ...(isText ? { content: [] } : { arguments: "" }) },
    },
    ...pieces(text).map((delta) => ({ type: `${kind}.delta`, ...place, content_index: 0, delta })),
    { type: `${kind}.done`, ...place, content_index: 0, ...(isText ? { text } : { arguments: text }) },
    { type: "response.output_item.done", output_index: index, item: done },
  ];
}

function ending({ usage: { input, output, cacheRead, cacheWrite } }: Reply) {
  const details = {
    ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
    ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
  };
  return {
    incomplete_details: null,
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      ...(Object.keys(details).length > 0 && { input_tokens_details: details }),
    },
  };
}
