/**
 * What every client behind `ClientAdapterV1` must do, whatever it sends. A new client is its folder in adapters/, this suite
 * with real-shaped messages of its own, and a row in adapters/clients/known-clients.ts.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError, type ClientAdapterV1, type HookEvent } from "../../src/contract/index.ts";

export type Sample = {
  readonly event: string;
  readonly body: string;
  /** Undefined: nothing we act on. */
  readonly means: Partial<HookEvent> | undefined;
};

export function clientAdapterSuite(client: ClientAdapterV1, samples: readonly Sample[]): void {
  const read = (event: string, body: string | Uint8Array): HookEvent | undefined =>
    client.readEvent(event, typeof body === "string" ? Buffer.from(body) : body, {});

  describe(`${client.name} as a client`, () => {
    it("is of the version that the core knows [ADPT-1]", () => expect(client.version).toBe(1));

    it.each(samples)("reads $event as it is sent: $means.kind [ADPT-1]", ({ event, body, means }) => {
      const found = read(event, body);
      if (means === undefined) expect(found).toBeUndefined();
      else expect(found).toMatchObject(means);
    });

    it("takes an event it does not know for none of ours [ADPT-1]", () => {
      for (const { body } of samples) expect(read("NoSuchEvent", body)).toBeUndefined();
    });

    it("refuses whatever it cannot understand as malformed, and nothing else [ADPT-1]", () => {
      const events = [...new Set(samples.map(({ event }) => event))];
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => Buffer.from(text)),
        fc
          .constantFrom(...samples)
          .chain(({ body }) => fc.nat(body.length).map((length) => Buffer.from(body.slice(0, length)))),
      );
      fc.assert(
        fc.property(fc.constantFrom(...events), bytes, (event, body) => {
          try {
            read(event, body);
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
            expect(error).toMatchObject({ code: "input.malformed" });
          }
        }),
      );
    });

    it("passes text on to the model without losing any of it", () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          const told = client.tell("SessionStart", text)!;
          expect(
            told.includes(text) || JSON.stringify(JSON.parse(told)).includes(JSON.stringify(text).slice(1, -1)),
          ).toBe(true);
        }),
      );
    });
  });
}
