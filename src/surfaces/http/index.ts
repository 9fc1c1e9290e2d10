export { openApiDocument } from "./openapi.ts";
export { createHttpServer } from "./server.ts";
export type { HttpServer } from "./server.ts";
