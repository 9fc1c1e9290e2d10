import type { OutputOf, RawInputOf } from "../../../contract/index.ts";
import type { SylkClient } from "../../client/index.ts";
import type { WrittenCommand } from "../command.ts";
import { entryPoints } from "../entry-points.ts";
import { isNamed } from "../surrounding-session.ts";

export const mcp: WrittenCommand = {
  summary: "Serve MCP on standard input and output",
  example: "claude mcp add sylk -- sylk mcp",
  details:
    "For clients that start a server process. It acts as the agent of SYLK_TOKEN, of --as, of the session that started it, or as the only agent of the client's process. Without an agent it can only read; agent_register with the session's key makes it that session's agent.",
  async run({ connect, env, flags }) {
    const overMcp = true;
    const unregistered = await connect({ overMcp });
    const isFixed = isNamed(env, typeof flags.as === "string" ? flags.as : env.SYLK_AGENT);
    let registered: SylkClient | undefined;
    const { serveMcpStdio } = await import("../../mcp/index.ts");
    await serveMcpStdio({
      callSessionFields: entryPoints().callSessionFields,
      async call(name, input, { session, ...options }) {
        if (session !== undefined) {
          const own = await connect({ overMcp, session });
          return own.call(name, input as never, options);
        }
        const own = name === "agent.register" ? unregistered : (registered ?? unregistered);
        const answer = await own.call(name, input as never, options);
        // The model has said whose session this is; a sub-agent is not the one that the process serves.
        if (name === "agent.register" && !isFixed && (input as RawInputOf<"agent.register">).parent === undefined) {
          const { agent } = answer as OutputOf<"agent.register">;
          registered = await connect({ overMcp, actAs: agent.id });
        }
        return answer as never;
      },
    });
  },
};
