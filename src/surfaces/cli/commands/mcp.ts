/** `sylk mcp`: tools for a client that starts a process, and the address for one that does not. */
import { DomainError } from "../../../contract/errors.ts";
import type { RawInputOf } from "../../../contract/index.ts";
import { readUserToken } from "../../../platform/home/index.ts";
import { mcpKeyOf } from "../../../platform/tokens.ts";
import type { SylkClient } from "../../client/index.ts";
import type { WrittenCommand } from "../command.ts";
import { entryPoints } from "../entry-points.ts";
import { isNamed } from "../surrounding-session.ts";

export const mcp: WrittenCommand = {
  summary: "Serve MCP on standard input and output",
  example: "claude mcp add sylk -- sylk mcp",
  details:
    "For clients that start a server process. It acts as the agent of SYLK_TOKEN, of --as, of the session that started it, or as the only agent of the client's process. Without an agent it can only read; agent_register with the session's key makes it that session's agent. An agent that no other process stands for ends with this process.",
  async run({ connect, env, flags }) {
    const overMcp = true;
    const unregistered = await connect({ overMcp });
    const isFixed = isNamed(env, typeof flags.as === "string" ? flags.as : env.SYLK_AGENT);
    let registered: SylkClient | undefined;
    const { serveMcpStdio } = await import("../../mcp/index.ts");
    await serveMcpStdio({
      callSessionFields: entryPoints().callSessionFields,
      async call(name, input, { session, handle, ...options }) {
        if (handle !== undefined) {
          const own = await connect({ overMcp, actAs: handle });
          return own.call(name, input as never, options);
        }
        if (session !== undefined) {
          const own = await connect({ overMcp, session });
          return own.call(name, input as never, options);
        }
        if (name !== "agent.register") return (registered ?? unregistered).call(name, input as never, options);
        const wanted = { pid: process.pid, ...(input as RawInputOf<"agent.register">) };
        const answer = await unregistered.call("agent.register", wanted, options);
        // The model has said whose session this is; a sub-agent is not the one that the process serves.
        if (!isFixed && wanted.parent === undefined) registered = await connect({ overMcp, actAs: answer.agent.id });
        return answer as never;
      },
    });
    // The client has closed its end: agents whose process this one is have ended, too.
    const { items } = await unregistered.call("agent.list", { limit: 500 });
    for (const { id, pid } of items)
      if (pid === process.pid) await (await connect({ overMcp, actAs: id })).call("agent.end", { id });
  },
};

export const mcpUrl: WrittenCommand = {
  summary: "Print the address of MCP over HTTP for clients that can set no header",
  example: "sylk mcp url",
  details:
    "The address contains a key and the project's folder: keep it out of files that you share. It lets a client register agents, read, and act for the agents that it registered; nothing that needs you. Deleting the file token in SYLK_HOME and restarting the daemon ends it.",
  async run({ connect, cwd, paths, json, out }) {
    const { url } = await (await connect()).call("daemon.status", {});
    const token = readUserToken(paths.token);
    if (url === null || token === undefined)
      throw new DomainError("daemon.unreachable", 'The daemon serves no HTTP; set "http.enabled" and restart it', {
        details: {},
      });
    const address = `${url}/mcp/${mcpKeyOf(token)}?project=${encodeURIComponent(cwd)}`;
    if (json) out.json({ url: address });
    else out.line(address);
  },
};
