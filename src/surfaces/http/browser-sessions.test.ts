import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createBrowserSessions } from "./browser-sessions.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

it("signs in with a code once", () => {
  const clock = manualClock();
  const sessions = createBrowserSessions(clock);
  const { code, expiresAt } = sessions.makeLink();
  expect(expiresAt).toBe(clock.now() + minuteMs);
  const secret = sessions.signIn(code)!;
  expect(sessions.find(secret)).toMatchObject({ expiresAt: clock.now() + 12 * hourMs });
  expect(sessions.signIn(code)).toBeUndefined();
});

it("refuses a code after a minute, whatever the wall clock says", () => {
  const clock = manualClock();
  const sessions = createBrowserSessions(clock);
  const [early, late] = [sessions.makeLink(), sessions.makeLink()];
  clock.jumpWall(24 * hourMs);
  clock.advance(minuteMs - 1);
  expect(sessions.signIn(early.code)).toBeDefined();
  clock.advance(1);
  expect(sessions.signIn(late.code)).toBeUndefined();
});

it("ends a session after 12 hours, used or not", () => {
  const clock = manualClock();
  const sessions = createBrowserSessions(clock);
  const secret = sessions.signIn(sessions.makeLink().code)!;
  clock.advance(12 * hourMs - 1);
  expect(sessions.find(secret)).toBeDefined();
  clock.advance(1);
  expect(sessions.find(secret)).toBeUndefined();
});

it("takes a code for no cookie, a cookie for no code, and makes each of 256 bits", () => {
  const sessions = createBrowserSessions(manualClock());
  const { code } = sessions.makeLink();
  expect(sessions.find(code)).toBeUndefined();
  const secret = sessions.signIn(code)!;
  const { csrf } = sessions.find(secret)!;
  expect(sessions.signIn(secret)).toBeUndefined();
  expect(sessions.find(csrf)).toBeUndefined();
  const all = [code, secret, csrf];
  expect(new Set(all).size).toBe(3);
  for (const one of all) expect(Buffer.from(one, "base64url")).toHaveLength(32);
});

it("keeps a bounded number of links and sessions, the newest ones", () => {
  const sessions = createBrowserSessions(manualClock());
  const codes = Array.from({ length: 65 }, () => sessions.makeLink().code);
  expect(sessions.signIn(codes[0]!)).toBeUndefined();
  const secrets = codes.slice(1).map((code) => sessions.signIn(code)!);
  const last = sessions.signIn(sessions.makeLink().code)!;
  expect([secrets[0]!, secrets[1]!, last].map((secret) => sessions.find(secret) !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
});
