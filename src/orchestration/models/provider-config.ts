/** A model provider as it is configured; the key is kept apart. */
import * as z from "zod";
import { provider } from "../../contract/index.ts";

export const ProviderConfig = z.object({
  name: z.string(),
  kind: provider.ProviderKind,
  model: z.string(),
  baseUrl: z.string().optional(),
  /** OpenAI only: which of its two protocols. */
  api: z.enum(["chat", "responses"]).optional(),
  /** Environment variable of the daemon that holds the key. */
  keyVariable: z.string().optional(),
  /** Shown wherever this model's answers are shown. */
  label: z.string().optional(),
});
export type ProviderConfig = Readonly<z.infer<typeof ProviderConfig>>;
