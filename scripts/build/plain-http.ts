/**
 * `node:http` for the bundle, without what nobody asked for: importing it as an ES module reads all its exports, and those
 * for WebSockets load the whole of undici behind them, which took a command a third of its time.
 */
import * as http from "node:http";
import type { Plugin } from "esbuild";

const loadsUndici: ReadonlySet<string> = new Set(["default", "WebSocket", "CloseEvent", "MessageEvent"]);
const names = Object.keys(http).filter((name) => !loadsUndici.has(name));

export const plainHttp: Plugin = {
  name: "plain-http",
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "node:http", namespace: "plain-http" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "plain-http" }, () => ({
      contents: `const http = process.getBuiltinModule("node:http");
export default http;
export const { ${names.join(", ")} } = http;`,
    }));
  },
};
