/** OpenAI's Chat Completions protocol: POST /v1/chat/completions. */
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

const Body = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  messages: z.array(z.object({ role: z.enum(["system", "developer", "user", "assistant", "tool"]), content: Content })),
});

const speakers = { system: "ignored", developer: "ignored", user: "user", assistant: "model", tool: "tool" } as const;

export const openaiChat: Wire = {
  path: "/v1/chat/completions",
  read(body) {
    const { model, stream, tools = [], messages } = Body.parse(body);
    const said = messages.map(({ role, content }): Said => ({ by: speakers[role], text: content }));
    return requestOf({ model, stream, tools: tools.map((tool) => tool.function.name) }, said);
  },
  whole: (reply) => ({
    ...head(reply, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: textOf(reply) || null, ...calls(reply) },
        finish_reason: finishReason(reply),
      },
    ],
    usage: usageOf(reply),
  }),
  frames: (reply) => {
    const chunk = (delta: object, finish: string | null = null) => ({
      ...head(reply, "chat.completion.chunk"),
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const chunks = [
      chunk({ role: "assistant", content: "" }),
      ...pieces(textOf(reply)).map((content) => chunk({ content })),
      ...(calls(reply).tool_calls ?? []).flatMap((call, index) => callDeltas(call, index).map((delta) => chunk(delta))),
      chunk({}, finishReason(reply)),
      { ...head(reply, "chat.completion.chunk"), choices: [], usage: usageOf(reply) },
    ];
    return [...chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`), "data: [DONE]\n\n"];
  },
  error: (status, type, message) => ({
    error: { message, type, param: null, code: status === 404 ? "model_not_found" : type },
  }),
};

function head({ id, createdAt }: Reply, object: string) {
  return { id: `chatcmpl-${id}`, object, created: createdAt, model: rehearsalModel };
}

/** A message has one text here, and the calls stand behind it. */
function textOf({ parts }: Reply): string {
  return parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}

type Call = { id: string; type: "function"; function: { name: string; arguments: string } };

function calls(reply: Reply): { tool_calls?: Call[] } {
  const found = reply.parts.flatMap((part, index): Call[] =>
    "tool" in part
      ? [
          {
            id: `call_${reply.id}_${index}`,
            type: "function",
            function: { name: part.tool, arguments: inputText(part.input, reply) },
          },
        ]
      : [],
  );
  return found.length > 0 ? { tool_calls: found } : {};
}

function callDeltas(call: Call, index: number) {
  const opening = { index, ...call, function: { ...call.function, arguments: "" } };
  const rest = pieces(call.function.arguments).map((text) => ({ index, function: { arguments: text } }));
  return [opening, ...rest].map((each) => ({ tool_calls: [each] }));
}

function finishReason(reply: Reply): string {
  return calls(reply).tool_calls ? "tool_calls" : "stop";
}

function usageOf({ usage: { input, output, cacheRead, cacheWrite } }: Reply) {
  const details = {
    ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
    ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
  };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(Object.keys(details).length > 0 && { prompt_tokens_details: details }),
  };
}
