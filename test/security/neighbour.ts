/** A connection that is kept open beside others, and still answers: nobody else's bytes reach it. */
import { connect } from "node:net";
import { once } from "node:events";
import { until, within } from "../flows/until.ts";
import type { Place } from "../flows/wire.ts";

type Neighbour = Disposable & {
  /** Asks for /healthz on the very same connection. */
  answers(): Promise<void>;
};

export async function openNeighbour(place: Place, head: string): Promise<Neighbour> {
  const socket = connect("socketPath" in place ? { path: place.socketPath } : place);
  await within("the neighbour is connected", once(socket, "connect"));
  let text = "";
  let closed = false;
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => {}); // told by close
  socket.on("close", () => (closed = true));
  return {
    async answers() {
      text = "";
      socket.write(`GET /healthz HTTP/1.1\r\n${head}\r\n`);
      await until("the neighbour has its answer or is cut off", () => closed || text.endsWith('{"ok":true}'));
      if (!text.startsWith("HTTP/1.1 200 ") || text.indexOf("HTTP/1.1", 1) > 0)
        throw new Error(`the connection beside was not left alone: ${closed ? "closed " : ""}${text.slice(0, 200)}`);
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
