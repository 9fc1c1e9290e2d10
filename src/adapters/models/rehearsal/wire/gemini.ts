/** Google's protocol: POST /v1beta/models/{model}:generateContent, or :streamGenerateContent as an event stream. */
import * as z from "zod";
import { pieces, rehearsalModel, type Reply, requestOf, type Said, type Wire } from "../model-request.ts";

const Part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.looseObject({}) }).optional(),
});

const Body = z.object({
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(Part).optional() })),
});

const address = /^\/v1(?:beta)?\/models\/([^/:]+):(generate|streamGenerate)Content$/;

export const gemini: Wire = {
  path: address,
  read(body, path) {
    const { tools = [], contents } = Body.parse(body);
    const [, model = "", way] = address.exec(path) ?? [];
    const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
    return requestOf({ model, stream: way === "streamGenerate", tools: names }, contents.flatMap(said));
  },
  whole: (reply) => ({ ...chunk(reply, reply.parts.map(partOf(reply)), "STOP"), ...ending(reply) }),
  frames: (reply) =>
    [
      ...reply.parts.flatMap((part, index) =>
        "text" in part
          ? pieces(part.text).map((text) => chunk(reply, [{ text }]))
          : [chunk(reply, [partOf(reply)(part, index)])],
      ),
      { ...chunk(reply, [{ text: "" }], "STOP"), ...ending(reply) },
    ].map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`),
  error: (status, type, message) => ({ error: { code: status, message, status: type.toUpperCase() } }),
};

function said({ role, parts = [] }: z.infer<typeof Body>["contents"][number]): readonly Said[] {
  if (role === "model") return [{ by: "model", text: "" }];
  return parts.map(({ text = "", functionResponse }) =>
    functionResponse === undefined ? { by: "user", text } : { by: "tool", text: resultOf(functionResponse.response) },
  );
}

/** Results come as an object with one text; a scenario is to read alike over every protocol. */
function resultOf(response: Readonly<Record<string, unknown>>): string {
  const { output, error, content } = response;
  const text = [output, error, content].find((value) => typeof value === "string");
  return typeof text === "string" ? text : JSON.stringify(response);
}

function chunk({ id }: Reply, parts: readonly object[], finishReason?: string) {
  const candidate = { index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) };
  return { responseId: `resp_${id}`, modelVersion: rehearsalModel, candidates: [candidate] };
}

/** Arguments are an object here: broken, they are one that no tool takes. */
function partOf(reply: Reply): (part: Reply["parts"][number], index: number) => object {
  return (part, index) =>
    "text" in part
      ? { text: part.text }
      : {
          functionCall: {
            id: `call_${reply.id}_${index}`,
            name: part.tool,
            args: reply.malformed ? { broken: true } : part.input,
          },
        };
}

function ending({ usage: { input, output, cacheRead } }: Reply) {
  return {
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
    },
  };
}
