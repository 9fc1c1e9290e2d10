/** Lists answer `{items, nextCursor?}`; a cursor is opaque and given back as it came. */
import * as z from "zod";

export const pageInput = {
  cursor: z.string().min(1).max(200).optional().describe("nextCursor of the previous page"),
  limit: z.int().min(1).max(500).default(100).describe("Most items to return"),
};

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

export const TimeMs = z.int().describe("Unix time in milliseconds");
