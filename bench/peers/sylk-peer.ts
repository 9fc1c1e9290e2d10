/** Our side: the daemon over its unix socket, as any program would speak to it. */
import { openConnection } from "../load/wire-connection.ts";
import type { Peer, PeerPlace } from "./peer.ts";

export async function openSylk({ socket, token }: PeerPlace): Promise<Peer> {
  const connection = await openConnection({ socket: socket! });
  async function call(line: string, input?: object): Promise<number> {
    const body = input === undefined ? "" : JSON.stringify(input);
    const type = body === "" ? "" : "content-type: application/json\r\n";
    const answer = await connection.send(
      `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${type}content-length: ${body.length}\r\n\r\n${body}`,
    );
    if (answer.status !== 200 && answer.status !== 409) throw new Error(`${line}: ${answer.status} ${answer.body}`);
    return answer.status;
  }
  await call("POST /v1/inbox/policy", { policy: "open" });
  return {
    reserve: async (path) => (await call("POST /v1/reservations", { paths: [path] })) === 200,
    send: async (to, subject) => void (await call("POST /v1/messages", { to: [to], subject, body: "Rounded." })),
    inbox: async () => void (await call("GET /v1/inbox?limit=20")),
    close: async () => connection.close(),
  };
}
