/** The schema of an error's body: for the API description, and for clients that check what they are told. */
import * as z from "zod";

export const ErrorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    retryAfterMs: z.number().optional(),
  }),
});
