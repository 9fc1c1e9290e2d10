/** What a client says on standard input for its status line: any of it may be missing, or nonsense. */
export type ClientInput = {
  readonly session: string | undefined;
  readonly folder: string | undefined;
  readonly model: string | undefined;
  /** Share of the context window in use, in percent. */
  readonly context: number | undefined;
  readonly usd: number | undefined;
};

type Loose = { readonly [key: string]: unknown };

export function readClientInput(text: string): ClientInput {
  const said = parsed(text);
  const workspace = looseIn(said, "workspace");
  return {
    session: textIn(said, "session_id"),
    folder: textIn(workspace, "current_dir") ?? textIn(said, "cwd"),
    model: textIn(looseIn(said, "model"), "display_name") ?? textIn(looseIn(said, "model"), "id"),
    context: numberIn(looseIn(said, "context_window"), "used_percentage", 100),
    usd: numberIn(looseIn(said, "cost"), "total_cost_usd", 1_000_000),
  };
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

function textIn(from: Loose, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberIn(from: Loose, key: string, most: number): number | undefined {
  const value = from[key];
  return typeof value === "number" && value >= 0 && value <= most ? value : undefined;
}
