import { expect, it } from "vitest";
import { manualClock } from "../../../platform/clock/index.ts";
import { sessionA, sessionB } from "../testkit.ts";
import { createGlobalRoutes, promotion } from "./global-routes.ts";
import { createRouteCache, routeKey } from "./route-cache.ts";

const route = { to: "librarian", intent: "check", domain: "code", confidence: 1 } as const;
const other = { ...route, to: "tester" } as const;

it("takes a route in at the third equal decision from two sessions, and no earlier [GUIDE-34]", () => {
  const routes = createGlobalRoutes({ clock: manualClock() });
  expect(promotion).toEqual({ times: 3, sessions: 2 });
  for (let time = 0; time < 5; time++) routes.count(sessionA, "agents", "where", route);
  expect(routes.get("agents", "where"), "one session alone").toBeUndefined();
  routes.count(sessionB, "agents", "where", route);
  expect(routes.get("agents", "where")).toEqual(route);
  expect(routes.get("other agents", "where"), "learnt with other agents").toBeUndefined();
});

it("counts anew, and takes the route out, when a person decides otherwise [GUIDE-34]", () => {
  const routes = createGlobalRoutes({ clock: manualClock() });
  const both = [sessionA, sessionB, sessionA] as const;
  const counted = (session: typeof sessionA, decided: typeof route | typeof other) => {
    routes.count(session, "agents", "where", decided);
    return routes.size;
  };
  expect([
    counted(sessionA, route),
    counted(sessionB, route),
    counted(sessionA, other),
    counted(sessionB, other),
    counted(sessionB, route),
  ]).toEqual([0, 0, 0, 0, 0]);
  for (const session of both) routes.count(session, "agents", "where", route);
  expect(routes.size).toBe(1);
  routes.count(sessionB, "agents", "where", other);
  expect(routes.get("agents", "where")).toBeUndefined();
});

it("forgets after an hour, and everything on request", () => {
  const clock = manualClock();
  const routes = createGlobalRoutes({ clock });
  const learn = () => [sessionA, sessionB, sessionA].forEach((each) => routes.count(each, "agents", "where", route));
  learn();
  clock.advance(3_599_999);
  expect(routes.get("agents", "where")).toEqual(route);
  clock.advance(1);
  expect(routes.get("agents", "where")).toBeUndefined();
  learn();
  routes.clear();
  expect([routes.size, routes.get("agents", "where")]).toEqual([0, undefined]);
});

it("keeps so many routes, counts so many texts at a time, and starts anew with too many sets of agents", () => {
  const clock = manualClock();
  const learn = (routes: ReturnType<typeof createGlobalRoutes>, agents: string, key: string) =>
    [sessionA, sessionB, sessionA].forEach((each) => routes.count(each, agents, key, route));
  const [many, few] = [createGlobalRoutes({ clock }), createGlobalRoutes({ clock, capacity: 2 })];
  for (let number = 0; number <= 10_000; number++) learn(many, "agents", `text ${number}`);
  expect(many.size).toBe(10_000);
  for (const text of ["a", "b", "c"])
    for (const session of [sessionA, sessionB]) few.count(session, "agents", text, route);
  few.count(sessionA, "agents", "a", route);
  expect(few.size, "a had made room").toBe(0);
  learn(few, "agents 0", "where");
  for (let number = 1; number <= 1_001; number++) few.count(sessionA, `agents ${number}`, "where", route);
  expect(few.get("agents 0", "where")).toBeUndefined();
});

it("a route cache keeps 10,000 for an hour unless it is told otherwise", () => {
  const clock = manualClock();
  const cache = createRouteCache({ clock });
  for (let number = 0; number <= 10_000; number++) cache.set(`text ${number}`, route);
  expect([cache.size, cache.get("text 0"), cache.get("text 1")]).toEqual([10_000, undefined, route]);
  clock.advance(3_599_999);
  expect(cache.get("text 2")).toEqual(route);
  clock.advance(1);
  expect(cache.get("text 3")).toBeUndefined();
});

it("a route cache keeps so many, the unused ones go first, each for its time, and by agent", () => {
  const clock = manualClock();
  const cache = createRouteCache({ clock, capacity: 2, keepMs: 1_000 });
  cache.set("a", route);
  cache.set("b", other);
  cache.get("a");
  cache.set("c", route);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([route, undefined, route]);
  cache.forget("librarian");
  expect(cache.size).toBe(0);
  cache.set("a", route);
  clock.advance(400);
  const [saved] = cache.save();
  expect(saved).toEqual({ key: "a", ...route, leftMs: 600 });
  clock.advance(600);
  expect([cache.get("a"), cache.save()]).toEqual([undefined, []]);
  cache.load([saved!]);
  clock.advance(599);
  expect(cache.get("a")).toEqual(route);
  clock.advance(1);
  expect(cache.get("a")).toBeUndefined();
});

it("knows a text by its trimmed lower-case form", () => {
  expect(routeKey("  Where IS it? \n")).toBe("where is it?");
});
