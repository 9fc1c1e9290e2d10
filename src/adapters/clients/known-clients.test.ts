import { expect, it } from "vitest";
import { ClientName } from "../../contract/index.ts";
import { callSessionFields, sessionVariables } from "../client-sessions/index.ts";
import { knownClients } from "./known-clients.ts";

it("has one row for each client, and no session table names another one [ADPT-1]", () => {
  const names = knownClients.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(ClientName.parse(name)).toBe(name);
  for (const { client } of [...sessionVariables, ...callSessionFields]) expect(names).toContain(client);
});
