/** Waiting in line, by real processes: first come, first served; who dies, gives up or is too late leaves the line. */
import { expect, it } from "vitest";
import { openScratchDaemon } from "../flows/scratch-daemon.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { until } from "../flows/until.ts";
import { openClient, type RemoteClient } from "./open-client.ts";

const path = "src/checkout.ts";
const names = ["bat", "cod", "doe", "eel", "fox", "gnu", "hen", "ibex"] as const;
const waitMs = 60_000;

it("serves 8 waiting processes in the order they came, each as soon as the one before is done; a killed one is passed over [RSV-5]", async () => {
  await using daemon = await openScratchDaemon();
  const ape = await openClient(daemon, "ape");
  const waiters = await Promise.all(names.map((name) => openClient(daemon, name)));
  const { reservation: first } = await ape.call("reservation.acquire", { paths: [path] });
  const served: string[] = [];
  const waits: Promise<unknown>[] = [];
  for (const waiter of waiters) {
    const marker = markerOf(waiter.agent.name);
    waits.push(waiter.call("reservation.acquire", { paths: [path, marker], waitMs }));
    await until(`${waiter.agent.name} stands in line`, () => isWaitedFor(marker, ape));
  }
  await waiters[3]!.kill(); // eel
  await waiters[0]!.kill(); // bat, which is the next
  await expect(waits[3]).rejects.toMatchObject({ code: "process.ended" });

  await ape.call("reservation.release", { id: first.id });
  const grants = await Promise.all(
    waiters.map(async (waiter, index) => {
      try {
        const { reservation } = (await waits[index]) as { reservation: { id: never; fencingToken: number } };
        served.push(names[index]!);
        await waiter.call("reservation.release", { id: reservation.id });
        return [reservation.fencingToken];
      } catch {
        return [];
      }
    }),
  );
  expect(served).toEqual(names.filter((name) => name !== "eel" && name !== "bat"));
  const tokens = grants.flat();
  expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
});

it("ends a wait at its deadline with the holder's name, and lets the next one have its place [RSV-5]", async () => {
  await using daemon = await openScratchDaemon();
  const [ape, bat, cod] = await Promise.all([
    openClient(daemon, "ape"),
    openClient(daemon, "bat"),
    openClient(daemon, "cod"),
  ]);
  const { reservation } = await ape.call("reservation.acquire", { paths: [path] });
  const late = bat.call("reservation.acquire", { paths: [path], waitMs: 300 });
  await expect(late).rejects.toMatchObject({
    code: "reservation.conflict",
    message: expect.stringContaining("held by ape") as string,
  });
  const next = cod.call("reservation.acquire", { paths: [path], waitMs });
  await ape.call("reservation.release", { id: reservation.id });
  expect(await next).toMatchObject({ reservation: { holder: { name: "cod" } } });
});

it("waits on the command line, and leaves the line when it is interrupted [RSV-5]", async () => {
  await using daemon = await openScratchDaemon();
  const ape = await openClient(daemon, "ape");
  const { reservation } = await ape.call("reservation.acquire", { paths: [path] });
  const marker = markerOf("command");
  const interrupted = daemon.start(["reserve", path, marker, "--wait", "60s", "--json"]);
  await until("it stands in line", () => isWaitedFor(marker, ape));
  interrupted.child.kill("SIGINT");
  expect(await interrupted.ended).toMatchObject({ signal: "SIGINT", stdout: "" });
  await until("it has left the line", async () => !(await isWaitedFor(marker, ape)));

  const waiting = daemon.start(["reserve", path, marker, "--wait", "60s", "--json"]);
  await until("it stands in line", () => isWaitedFor(marker, ape));
  await ape.call("reservation.release", { id: reservation.id });
  const run = await waiting.ended;
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(jsonOf(run)).toMatchObject({ reservation: { paths: [path, marker], mode: "exclusive" } });
});

/** A second path that only this waiter wants: nobody holds it, yet nobody else gets it while its waiter stands in line. */
function markerOf(name: string): string {
  return `markers/${name}`;
}

async function isWaitedFor(marker: string, prober: RemoteClient): Promise<boolean> {
  try {
    const { reservation } = await prober.call("reservation.acquire", { paths: [marker] });
    await prober.call("reservation.release", { id: reservation.id });
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === "reservation.conflict") return true;
    throw error;
  }
}
