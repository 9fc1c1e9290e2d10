export { createBrowserSessions } from "./browser-sessions.ts";
export type { BrowserSessions } from "./browser-sessions.ts";
export { openApiDocument } from "./openapi.ts";
export { createHttpServer } from "./server.ts";
export type { HttpServer } from "./server.ts";
export { readAllowedHosts } from "./check-origin.ts";
