/**
 * Runs the tools that an answer calls, one after the other in the model's order: two edits of one file must not race.
 *
 *   call -> valid? -> run -> what the caller records (ToolUse) and what goes back to the model (result message)
 *
 * Whatever goes wrong with a call is told to the model as the call's result; it mostly finds its way from there.
 */
import type { ModelMessage } from "ai";
import { messageOf } from "../../contract/errors.ts";
import type { ModelTool, ToolUse } from "../../orchestration/models/index.ts";
import type { ToolCall } from "./ask-model.ts";

export type ToolRound = { readonly uses: readonly ToolUse[]; readonly results: ModelMessage; readonly final: boolean };

type Result = Extract<Extract<ModelMessage, { role: "tool" }>["content"][number], { type: "tool-result" }>;
type Output = Result["output"];

/** With `refusal` nothing is run, and every call is answered by it. */
export async function useTools(
  calls: readonly ToolCall[],
  tools: readonly ModelTool[],
  { signal, refusal }: { readonly signal: AbortSignal; readonly refusal?: string | undefined },
): Promise<ToolRound> {
  const uses: ToolUse[] = [];
  const content: Result[] = [];
  let final: boolean = false;
  for (const call of calls) {
    const hindrance: string | undefined = refusal ?? hindranceNow(signal, final);
    const { output, use }: Outcome = hindrance ? failed(call, hindrance) : await runCall(call, tools, signal);
    uses.push(use);
    content.push({ type: "tool-result", toolCallId: call.toolCallId, toolName: call.toolName, output });
    final ||= !("error" in use) && tools.some(({ name, final }) => final === true && name === call.toolName);
  }
  return { uses, results: { role: "tool", content }, final };
}

function hindranceNow(signal: AbortSignal, ended: boolean): string | undefined {
  if (signal.aborted) return "Not run: the conversation was aborted";
  return ended ? "Not run: the conversation had ended" : undefined;
}

type Outcome = { readonly output: Output; readonly use: ToolUse };

async function runCall(call: ToolCall, tools: readonly ModelTool[], signal: AbortSignal): Promise<Outcome> {
  const tool = tools.find(({ name }) => name === call.toolName);
  if (!tool)
    return failed(
      call,
      `There is no tool "${call.toolName}"; the tools are: ${tools.map(({ name }) => name).join(", ")}`,
    );
  if (call.invalid === true) return failed(call, `The input of "${tool.name}" ${misfit(call.error)}`);
  try {
    const output = await tool.run(call.input, { id: call.toolCallId, signal });
    return { use: { name: tool.name, input: call.input, output }, output: modelOutput(output) };
  } catch (error) {
    return failed(call, messageOf(error));
  }
}

/** Not every protocol can mark a result as an error, hence the word. */
function failed({ toolName, input }: ToolCall, error: string): Outcome {
  return {
    use: { name: toolName, input: input as unknown, error },
    output: { type: "error-text", value: `Error: ${error}` },
  };
}

/** What JSON cannot carry is left out as JSON leaves it out; a cycle throws, and is told as the tool's error. */
function modelOutput(output: unknown): Output {
  if (typeof output === "string") return { type: "text", value: output };
  return { type: "json", value: JSON.parse(JSON.stringify(output) ?? "null") as never };
}

const mostIssuesTold = 8;

function misfit(error: unknown): string {
  const issues = issuesOf(error);
  if (!issues) return "is not valid JSON; send one complete JSON object";
  const told = issues
    .slice(0, mostIssuesTold)
    .map(({ path, message }) => `${(path ?? []).map(String).join(".") || "input"}: ${message}`);
  return `does not fit its schema: ${told.join("; ")}`;
}

type Issue = { readonly path?: readonly PropertyKey[]; readonly message: string };

/** The schema's own findings stand inside two wrappers of the SDK. */
function issuesOf(error: unknown): readonly Issue[] | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && typeof inner === "object" && inner !== null; depth++) {
    const { issues, cause } = inner as { issues?: unknown; cause?: unknown };
    if (Array.isArray(issues)) return issues as Issue[];
    inner = Array.isArray(cause) ? { issues: cause as unknown } : cause;
  }
  return undefined;
}
