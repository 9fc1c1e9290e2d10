/** The yaml library is dear to load, and few have a price file of their own: it waits for one. */
import type { Price } from "./price-of.ts";

export async function readPrices(text: string, file: string): Promise<readonly Price[]> {
  const { parsePrices } = await import("./parse-prices.ts");
  return parsePrices(text, file);
}
