export { endAgent } from "./end-agent.ts";
