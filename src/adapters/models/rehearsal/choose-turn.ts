/**
 * Finds the turn that answers a request, or says why none does.
 *
 * Pure: the same request gets the same answer, from whichever server it asks. A request that the scenario did not
 * foresee gets no tool call, so that a run whose tools answered otherwise than rehearsed ends without its result.
 */
import { Script } from "node:vm";
import type { ModelRequest } from "./model-request.ts";
import type { Scenario, Turn } from "./scenario.ts";

export type Choice =
  | { readonly turn: Turn; readonly index: number }
  /** What the server says instead of an answer. */
  | { readonly derailed: string };

export function chooseTurn(scenario: Scenario, request: ModelRequest): Choice {
  const misses = scenario.turns.map(({ when }) => unmet(when, request));
  const index = misses.indexOf(undefined);
  const turn = scenario.turns[index];
  if (!turn) return derailed(scenario, noTurnFits(request, misses));
  const pattern = turn.expect?.toolResult;
  if (pattern === undefined) return { turn, index };
  const { lastToolResult } = request;
  if (lastToolResult === undefined)
    return derailed(scenario, `turn ${index + 1} expects a tool result, and there is none`);
  if (!matches(pattern, lastToolResult))
    return derailed(
      scenario,
      `turn ${index + 1} expects the last tool result to match /${pattern}/, and it was: ${shortened(lastToolResult)}`,
    );
  return { turn, index };
}

function unmet({ tool, mentions = [], turn }: Turn["when"], request: ModelRequest): string | undefined {
  if (tool !== undefined && !request.tools.includes(tool)) return `wants the tool ${tool}`;
  if (turn !== undefined && turn !== request.turn) return `wants ${turn} answers before it`;
  const heard = plain(request.heard);
  const missing = mentions.find((text) => !heard.includes(plain(text)));
  return missing === undefined ? undefined : `wants "${shortened(missing)}" to be mentioned`;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}

const mostMissesTold = 5;

function noTurnFits({ turn, tools }: ModelRequest, misses: readonly (string | undefined)[]): string {
  const told = misses.slice(0, mostMissesTold).map((miss, index) => `turn ${index + 1} ${miss}`);
  const request = `${turn} answers before it and the tools ${tools.join(", ") || "none"}`;
  return `no turn fits a request with ${request} (${told.join("; ")}${misses.length > mostMissesTold ? "; …" : ""})`;
}

function derailed({ name }: Scenario, why: string): Choice {
  return { derailed: `The rehearsal "${name}" does not go on: ${why}.` };
}

const matcher = new Script("new RegExp(pattern, 's').test(text)");
const longestMatchMs = 200;

/** With a time limit: a pattern from a file may need longer than the sun shines. Too long counts as no match. */
function matches(pattern: string, text: string): boolean {
  try {
    return matcher.runInNewContext({ pattern, text }, { timeout: longestMatchMs }) === true;
  } catch {
    return false;
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
