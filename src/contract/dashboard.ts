/**
 * The dashboard's door: a link that signs one browser in, once.
 *
 *   sylk dashboard -> dashboard.link -> url -> GET /signin?code=… -> cookie -> the live page at /
 *
 * The code in the link is not a token: it is good for one minute and one use, and for nothing but a browser's cookie.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

export const link = defineOperation({
  name: "dashboard.link",
  summary: "Create a one-time link, valid for a minute, that signs a browser in to the dashboard",
  http: "POST /v1/dashboard/link",
  actor: "user",
  input: z.strictObject({}),
  output: z.object({
    url: z.string().describe("Open it in a browser on this machine"),
    elsewhere: z.array(z.string()).describe("The same link under each name of http.allowedHosts"),
    expiresAt: TimeMs,
  }),
  errors: ["caller.denied"],
  example: {},
});
