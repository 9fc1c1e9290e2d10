/** The sides by name; each is loaded only where it is measured. */
import type { Peer, PeerPlace, Side } from "./peer.ts";

export async function openPeer(side: Side, place: PeerPlace): Promise<Peer> {
  if (side === "sylk") return (await import("./sylk-peer.ts")).openSylk(place);
  if (side === "naive") return (await import("./naive-peer.ts")).openNaive(place);
  return (await import("./swarm-mail-peer.ts")).openSwarmMail(place);
}
