/**
 * An agent in a process of its own, which a test can stop, let go on, or kill: makes the calls it is told, each as soon as
 * it runs. `write` writes a file as an Engineer does, through its tools.
 */
import { DomainError, type InputOf, type OperationName } from "../../src/contract/index.ts";
import { holdPatiently } from "../../src/agents/engineer/reservations.ts";
import { fileTools } from "../../src/agents/engineer/tools/file-tools.ts";
import { createClient, socketTransport } from "../../src/surfaces/client/index.ts";

export type ClientPlan = {
  readonly socket: string;
  readonly token: string;
  readonly tree: string;
  readonly name: string;
};
export type Told =
  | { readonly id: number; readonly operation: OperationName; readonly input: unknown }
  | { readonly id: number; readonly write: { readonly path: string; readonly content: string } };
export type Said = {
  readonly id: number;
  readonly answer?: unknown;
  readonly code?: string;
  readonly message?: string;
};

const { socket, token, tree } = JSON.parse(process.argv[2]!) as ClientPlan;
const client = createClient({ transport: socketTransport(socket), token });
const hold = holdPatiently({
  acquire: async (path, { waitMs }) =>
    (await client.call("reservation.acquire", { paths: [path], waitMs })).reservation.id,
  renew: async (id) => void (await client.call("reservation.renew", { id })),
  peerFindings: async () => [],
});
const writeFile = fileTools({ tree, hold }).find((tool) => tool.name === "write_file")!;

process.on("message", (told: Told) => {
  const { signal } = new AbortController();
  const work =
    "write" in told
      ? writeFile.run(told.write, { signal } as never)
      : client.call(told.operation, told.input as InputOf<OperationName>);
  void Promise.resolve(work).then(
    (answer: unknown) => process.send!({ id: told.id, answer } satisfies Said),
    (error: unknown) => {
      const code = error instanceof DomainError ? error.code : "unknown";
      process.send!({ id: told.id, code, message: String(error) } satisfies Said);
    },
  );
});
process.on("disconnect", () => process.exit(0));
process.send!({ id: 0 } satisfies Said);
