/** Reads a client's message for its status line on standard input: any of it may be missing, or nonsense. */
export type ClientInput = {
  readonly session: string | undefined;
  readonly folder: string | undefined;
  readonly transcript: string | undefined;
  readonly model: string | undefined;
  /** Share of the context window in use, in percent. */
  readonly context: number | undefined;
  /** The same in tokens: what the model has in view, and how much it could have. */
  readonly contextTokens: number | undefined;
  readonly contextSize: number | undefined;
  readonly usd: number | undefined;
  /** Share of a subscriber's five hours, in percent. */
  readonly rateLimit: number | undefined;
};

type Loose = { readonly [key: string]: unknown };

const mostTokens = 1_000_000_000;

export function readClientInput(text: string): ClientInput {
  const said = parsed(text);
  const window = looseIn(said, "context_window");
  return {
    session: textIn(said, "session_id", 200),
    folder: textIn(looseIn(said, "workspace"), "current_dir", 4096) ?? textIn(said, "cwd", 4096),
    transcript: textIn(said, "transcript_path", 4096),
    model: textIn(looseIn(said, "model"), "display_name", 200) ?? textIn(looseIn(said, "model"), "id", 200),
    context: numberIn(window, "used_percentage", 100),
    contextTokens: tokensInView(looseIn(window, "current_usage")),
    contextSize: countIn(window, "context_window_size"),
    usd: numberIn(looseIn(said, "cost"), "total_cost_usd", 1_000_000),
    rateLimit: numberIn(looseIn(looseIn(said, "rate_limits"), "five_hour"), "used_percentage", 100),
  };
}

/** Unknown as soon as one part is: a sum of some of them would be too small. */
function tokensInView(usage: Loose): number | undefined {
  const parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map((key) =>
    countIn(usage, key),
  );
  return parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0);
}

function parsed(text: string): Loose {
  try {
    return looseIn({ value: JSON.parse(text) as unknown }, "value");
  } catch {
    return {};
  }
}

function looseIn(from: Loose, key: string): Loose {
  const value = from[key];
  return typeof value === "object" && value !== null ? (value as Loose) : {};
}

function textIn(from: Loose, key: string, most: number): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" && value.length <= most ? value : undefined;
}

function countIn(from: Loose, key: string): number | undefined {
  const value = numberIn(from, key, mostTokens);
  return Number.isInteger(value) ? value : undefined;
}

function numberIn(from: Loose, key: string, most: number): number | undefined {
  const value = from[key];
  return typeof value === "number" && value >= 0 && value <= most ? value : undefined;
}
