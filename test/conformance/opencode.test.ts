/** What our plugin sends out of opencode 1.18; what opencode gives the plugin is in src/adapters/opencode. */
import { clientAdapterSuite } from "./client-adapter.ts";
import { opencode } from "../../src/adapters/opencode/index.ts";

const session = { key: "ses_1", client: "opencode" } as const;
const child = { key: "ses_2", client: "opencode", parent: "ses_1" } as const;
const own = { session_id: "ses_1", cwd: "/home/ada/shop" };
const childs = { session_id: "ses_2", parent_id: "ses_1", cwd: "/home/ada/shop" };
const tool = (name: string, args: object, who: object = own): string => JSON.stringify({ ...who, tool: name, args });

clientAdapterSuite(opencode, [
  { event: "start", body: JSON.stringify(own), means: { kind: "session-start", session, cwd: "/home/ada/shop" } },
  { event: "start", body: JSON.stringify(childs), means: { kind: "sign-of-life", session: child } },
  {
    event: "tool",
    body: tool("write", { filePath: "/home/ada/shop/a.ts" }),
    means: { kind: "write", session, paths: ["/home/ada/shop/a.ts"] },
  },
  {
    event: "tool",
    body: tool("edit", { filePath: "/home/ada/shop/a.ts" }, childs),
    means: { kind: "write", session: child },
  },
  {
    event: "tool",
    body: tool("bash", { command: "echo x | tee a.ts", workdir: "src" }),
    means: { kind: "write", session, paths: ["/home/ada/shop/src/a.ts"] },
  },
  {
    event: "tool",
    body: tool("apply_patch", { patchText: "*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch" }),
    means: { kind: "write", session, paths: ["/home/ada/shop/a.ts"] },
  },
  { event: "tool", body: tool("bash", { command: "ls" }), means: undefined },
  { event: "tool", body: tool("read", { filePath: "a.ts" }), means: undefined },
  { event: "message", body: JSON.stringify(own), means: { kind: "turn-end", session, again: false } },
  { event: "message", body: JSON.stringify(childs), means: { kind: "sign-of-life", session: child } },
  { event: "idle", body: JSON.stringify(own), means: { kind: "sign-of-life", session } },
  {
    event: "idle",
    body: JSON.stringify({ ...own, shown: true }),
    means: { kind: "turn-end", session, again: true },
  },
  { event: "idle", body: JSON.stringify(childs), means: { kind: "session-end", session: child } },
  { event: "end", body: JSON.stringify(own), means: { kind: "session-end", session } },
]);
