/** What a bundled import brings along that nobody asked for, left out: every command would load it at each start. */
import * as http from "node:http";
import { basename, join } from "node:path";
import type { Plugin } from "esbuild";

const loadsUndici: ReadonlySet<string> = new Set(["default", "WebSocket", "CloseEvent", "MessageEvent"]);
const httpNames = Object.keys(http).filter((name) => !loadsUndici.has(name));

/** An import of `node:http` reads all its exports, and those for WebSockets load the whole of undici behind them. */
export const plainHttp: Plugin = {
  name: "plain-http",
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "node:http", namespace: "plain-http" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "plain-http" }, () => ({
      contents: `const http = process.getBuiltinModule("node:http");
export default http;
export const { ${httpNames.join(", ")} } = http;`,
    }));
  },
};

/** zod exports the messages of fifty languages, a third of its code, and they make all of it two bytes a character. */
export const zodInEnglish: Plugin = {
  name: "zod-in-english",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
    }));
  },
};

/**
 * For a program that enters folders by their doors and uses a part of what they export: the rest is left out. Our own
 * files do nothing when they are loaded but define and import; the built-ins they import would be loaded with them. What is
 * imported dynamically stays outside, as the built file of the same name.
 */
export const usedFilesOnly: Plugin = {
  name: "used-files-only",
  setup(build) {
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === "dynamic-import"
        ? { path: `./${basename(path, ".ts")}.cjs`, external: true }
        : { path: join(resolveDir, path), sideEffects: false },
    );
  },
};
