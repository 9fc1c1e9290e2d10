import { expect, it } from "vitest";
import { createBus } from "./bus.ts";
import { scopedBus } from "./scoped-bus.ts";

function scratch() {
  const bus = createBus<string>({
    onSubscriberError: ({ error }) => {
      throw error;
    },
  });
  const heard: string[] = [];
  const listen = (message: string, subject: string) => void heard.push(`${subject}=${message}`);
  return { bus, heard, listen, scope: scopedBus(bus, "session.s1") };
}

it("sends below its prefix, and to no subscriber once it is closed [BUS-14]", async () => {
  const { bus, heard, listen, scope } = scratch();
  bus.subscribe("session.*.status", listen);
  expect(await scope.send("status", "up")).toBe(1);
  scope.close();
  expect(await scope.send("status", "gone")).toBe(0);
  expect(heard).toEqual(["session.s1.status=up"]);
});

it("ends one subscription outside its prefix when asked, and the others with itself [BUS-14]", () => {
  const { bus, heard, listen, scope } = scratch();
  const leave = scope.subscribeOutside("archivalist.responses", listen);
  scope.subscribeOutside("librarian.responses", listen);
  leave();
  expect([bus.size, bus.publish("archivalist.responses", "late")]).toEqual([1, 0]);
  scope.close();
  expect([bus.size, heard]).toEqual([0, []]);
});
