/**
 * Sorts what a model call may throw by what the caller should do about it.
 *
 *   HTTP status | stream error | broken connection | anything -> ProviderFailure: kind, problem, way out
 *
 * Invariant: neither the message nor the cause holds the key, whatever the provider echoed.
 */
import { ModelFailure, type ModelFailureKind, type ProviderConfig } from "../../orchestration/models/index.ts";
import { ProviderFailure } from "./provider-failure.ts";

type Context = {
  readonly config: ProviderConfig;
  readonly redact: (text: string) => string;
  readonly now: () => number;
};

/** What the errors of the SDK have in common, read by shape because bundled classes may exist twice. */
type Facts = {
  readonly status: number | undefined;
  readonly said: string;
  readonly body: string;
  readonly code: string;
  readonly brokenOff: boolean;
  readonly retryAfterMs: number | undefined;
};

export function classifyFailure(error: unknown, context: Context): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const facts = factsOf(error, context);
  const { kind, problem, fix } = verdict(facts, context.config);
  const { retryAfterMs } = facts;
  return new ProviderFailure(kind, { problem, fix, retryAfterMs, cause: harmlessCopy(error, facts) });
}

type Verdict = { readonly kind: ModelFailureKind; readonly problem: string; readonly fix?: string };

function verdict(facts: Facts, config: ProviderConfig): Verdict {
  const { status, said, body } = facts;
  const { name, model, kind, baseUrl } = config;
  if (status === undefined || status < 400) return withoutStatus(facts, config);
  const http = `HTTP ${status}: ${said}`;
  const test = `sylk provider test ${name}`;
  if (status === 401 || status === 403 || (status === 400 && /api.?key.{0,20}(invalid|not valid)/i.test(body))) {
    const fix = `give it the right key, and check the key with: ${test}`;
    return { kind: "user-fixable", problem: `${name} refused the key (${http})`, fix };
  }
  if (status === 402 || /insufficient_quota|credit balance|billing_error/i.test(body)) {
    const fix = `check plan and billing there, then: ${test}`;
    return { kind: "user-fixable", problem: `${name} wants to be paid (${http})`, fix };
  }
  if (status === 404) {
    const place = `at ${baseUrl ?? `the address of ${kind}`}`;
    const fix = `correct the model or the address, then: ${test}`;
    return { kind: "user-fixable", problem: `${name} does not know the model "${model}" ${place} (${http})`, fix };
  }
  if (status === 429) return { kind: "rate-limit", problem: `${name} limits the rate of requests (${http})` };
  if (status === 503 || status === 529)
    return { kind: "provider-degraded", problem: `${name} is overloaded (${http})` };
  if (status >= 500 || status === 408 || status === 409)
    return { kind: "transient", problem: `${name} failed to answer (${http})` };
  if (status === 413 || isTooLong(`${said} ${body}`)) {
    const problem = `The conversation is longer than ${model} of ${name} takes (${http})`;
    return { kind: "permanent", problem, fix: "give it less to read" };
  }
  return { kind: "permanent", problem: `${name} refused the request (${http})` };
}

function withoutStatus({ said, code, brokenOff }: Facts, { name, baseUrl }: ProviderConfig): Verdict {
  const address = baseUrl ? ` and the address ${baseUrl}` : "";
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    const problem = `The certificate of ${name} is not trusted (${code}: ${said})`;
    return { kind: "user-fixable", problem, fix: `correct it, then: sylk provider test ${name}` };
  }
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code))
    return { kind: "transient", problem: `${name} cannot be reached (${code})`, fix: `check the network${address}` };
  if (said.endsWith("bad port"))
    return { kind: "user-fixable", problem: `No program may use the port of ${name} (${said})`, fix: "choose another" };
  if (brokenOff) return { kind: "transient", problem: `The answer of ${name} broke off (${said})` };
  return { kind: "permanent", problem: `The request to ${name} failed (${said})` };
}

/** Answers that stop, or make no sense, in the middle; asked again, the same model mostly does better. */
const garbledAnswers = new Set([
  "AI_NoOutputGeneratedError",
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
]);

function isBrokenOff(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false;
  if ((error as { isRetryable?: unknown }).isRetryable === true || garbledAnswers.has(error.name)) return true;
  return /^(ECONN|EPIPE|ETIMEDOUT|UND_ERR)/.test(code) || error.message === "terminated";
}

function isTooLong(text: string): boolean {
  return /context.?(length|window)|too long|too many (input )?tokens|maximum.{0,30}tokens/i.test(text);
}

const longestQuote = 300;

function factsOf(error: unknown, { redact, now }: Context): Facts {
  const { message, statusCode, responseBody, responseHeaders } = (error ?? {}) as Record<string, unknown>;
  const said = redact(typeof message === "string" ? message : String(error))
    .replaceAll(/\s+/g, " ")
    .trim();
  const code = networkCode(error);
  return {
    status: typeof statusCode === "number" ? statusCode : undefined,
    said: (said.length > longestQuote ? `${said.slice(0, longestQuote)}…` : said) || "no reason given",
    body: typeof responseBody === "string" ? responseBody.slice(0, 10_000) : said,
    code,
    brokenOff: isBrokenOff(error, code),
    retryAfterMs: retryAfter(responseHeaders as Record<string, string | undefined> | undefined, now),
  };
}

/** The innermost error has the reason for a broken connection. */
function networkCode(error: unknown): string {
  let code = "";
  let inner = error;
  for (let depth = 0; depth < 6 && inner instanceof Error; depth++, inner = inner.cause) {
    const own = (inner as NodeJS.ErrnoException).code;
    if (typeof own === "string") code = own;
  }
  return code;
}

/** Milliseconds by OpenAI's and Anthropic's own header, else seconds or a date by the standard's. */
function retryAfter(headers: Record<string, string | undefined> | undefined, now: () => number): number | undefined {
  const exact = Number.parseFloat(headers?.["retry-after-ms"] ?? "");
  if (exact >= 0) return Math.ceil(exact);
  const standard = headers?.["retry-after"];
  if (standard === undefined) return undefined;
  const seconds = Number(standard);
  const wait = Number.isNaN(seconds) ? Date.parse(standard) - now() : seconds * 1000;
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined;
}

/** The original carries the whole request and the raw answer; a log that prints causes must not print those. */
function harmlessCopy(error: unknown, { said, status, code }: Facts): Error {
  const copy = new Error(said);
  if (error instanceof Error) copy.name = error.name;
  return Object.assign(copy, { ...(status !== undefined && { status }), ...(code && { code }) });
}
