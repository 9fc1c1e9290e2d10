/** How many tokens texts have, by a real tokenizer (o200k). What was measured once is remembered by its hash. */
import { hash } from "node:crypto";

export type TokenMeter = (texts: readonly string[]) => Promise<readonly number[]>;

const mostRemembered = 5_000;

export function createTokenMeter(): TokenMeter {
  const known = new Map<string, number>();
  return async (texts) => {
    const keys = texts.map((text) => hash("sha256", text, "base64"));
    const missing = new Map(keys.flatMap((key, index) => (known.has(key) ? [] : [[key, texts[index]!] as const])));
    const counts = new Map(keys.flatMap((key) => (known.has(key) ? [[key, known.get(key)!] as const] : [])));
    if (missing.size > 0) {
      const { countInThread } = await import("./count-tokens-thread.ts");
      const counted = await countInThread([...missing.values()]);
      if (known.size + missing.size > mostRemembered) known.clear();
      [...missing.keys()].forEach((key, index) => {
        counts.set(key, counted[index]!);
        known.set(key, counted[index]!);
      });
    }
    return keys.map((key) => counts.get(key)!);
  };
}
