/** Lists answer `{items, nextCursor?}`; a cursor is opaque and given back as it came. */
import * as z from "zod";

export const pageInput = {
  cursor: z.string().min(1).max(200).optional().describe("nextCursor of the previous page"),
  limit: z.int().min(1).max(500).default(100).describe("Most items to return"),
};

/** Marks a field that agents may not use: their tool list leaves it out. */
export const forUser = "x-for-user";

/** For lists that a person may want of all projects. */
export const allInput = {
  all: z
    .boolean()
    .optional()
    .describe("Of all projects of this home; for the user, not for agents")
    .meta({ [forUser]: true }),
};

/** Names another project than the caller's. */
export const ProjectName = z.string().min(1).max(4096).describe("Another project");

/** Set by lists over all projects. */
export const ofProject = { project: z.string().optional().describe("Name of its project, in a list of all projects") };

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

export const TimeMs = z.int().describe("Unix time in milliseconds");
