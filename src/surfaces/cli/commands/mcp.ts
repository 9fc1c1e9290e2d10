import type { Command } from "../command.ts";

export const mcp: Command = {
  words: "mcp",
  summary: "Speak MCP on standard input and output",
  example: "claude mcp add sylk -- sylk mcp",
  details:
    "For clients that start a server process. Acts as the agent of SYLK_TOKEN, or of --as, or of the session that started it, or as the user in this project.",
  async run({ connect }) {
    const client = await connect();
    const { serveMcpStdio } = await import("../../mcp/index.ts");
    await serveMcpStdio({
      async call(name, input, { session, ...options }) {
        const own = session === undefined ? client : await connect({ session });
        return own.call(name, input as never, options);
      },
    });
  },
};
