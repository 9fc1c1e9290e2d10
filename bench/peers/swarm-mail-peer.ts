/**
 * The npm package `swarm-mail`, from the folder it was installed into. It grants a held file too and names the conflict
 * beside the grant; a grant with a conflict counts as lost here.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { nameOf, type Peer, type PeerPlace } from "./peer.ts";

type Common = { readonly projectPath: string };
type SwarmMail = {
  initSwarmAgent(options: Common & { agentName: string }): Promise<unknown>;
  reserveSwarmFiles(
    options: Common & { agentName: string; paths: string[] },
  ): Promise<{ granted: unknown[]; conflicts: unknown[] }>;
  sendSwarmMessage(
    options: Common & { fromAgent: string; toAgents: string[]; subject: string; body: string },
  ): Promise<unknown>;
  getSwarmInbox(options: Common & { agentName: string; limit: number }): Promise<unknown>;
  closeAllSwarmMailLibSQL(): Promise<void>;
};

export async function openSwarmMail({ folder, racer }: PeerPlace): Promise<Peer> {
  process.env.HOME = folder; // it keeps its store in the user's home
  for (const level of ["log", "warn", "error"] as const) console[level] = () => {}; // it reports every conflict
  const entry = join(folder, "node_modules", "swarm-mail", "dist", "index.js");
  const mail = (await import(pathToFileURL(entry).href)) as SwarmMail;
  const [projectPath, agentName] = [join(folder, "project"), nameOf(racer)];
  await patiently(() => mail.initSwarmAgent({ projectPath, agentName }));
  return {
    async reserve(path) {
      const { granted, conflicts } = await mail.reserveSwarmFiles({ projectPath, agentName, paths: [path] });
      return granted.length > 0 && conflicts.length === 0;
    },
    send: async (to, subject) =>
      void (await mail.sendSwarmMessage({
        projectPath,
        fromAgent: agentName,
        toAgents: [to],
        subject,
        body: "Rounded.",
      })),
    inbox: async () => void (await mail.getSwarmInbox({ projectPath, agentName, limit: 20 })),
    close: () => mail.closeAllSwarmMailLibSQL(),
  };
}

/** Processes that make its tables at the same time find them locked; that is not what is compared here. */
async function patiently(act: () => Promise<unknown>): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await act();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
