/** Reservations on the command line. */
import type { Reservation } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import { repositoryPath } from "../repository-path.ts";
import { waitFlag, waitOf } from "../wait-flag.ts";
import { givingUp, inTime, left, counted } from "../wording.ts";

export const reserve = operationCommand("reservation.acquire", {
  example: 'sylk reserve src/api.ts "src/api/**" --reason "rate limiting"',
  fields: ["paths"],
  without: ["mode", "patterns", "waitMs"],
  flags: {
    ...waitFlag,
    shared: { describe: "allow other agents to hold it too" },
    literal: { describe: "treat * ? { in the arguments as file names, not as globs" },
  },
  adjust({ paths, ...rest }, { cwd, flags }) {
    const given = (paths as readonly string[]).map((path) => repositoryPath(path, cwd));
    const isGlob = (path: string): boolean => flags.literal !== true && /[*?{]/.test(path);
    return {
      ...rest,
      paths: given.filter((path) => !isGlob(path)),
      patterns: given.filter(isGlob),
      mode: flags.shared === true ? "shared" : "exclusive",
      ...waitOf(flags),
    };
  },
  print({ reservation, forecasts, news = [] }, out) {
    out.line(`${reservation.id}  ${reservation.mode}  ${covered(reservation)}  ${left(reservation.expiresAt)}`);
    for (const sentence of news) out.line(out.paint("yellow", `note: ${sentence}`));
    for (const { holder, overlap, tree } of forecasts)
      out.line(
        `${out.paint("yellow", "merge ahead")}  ${holder.name} changes ${overlap} in ${tree}; talk to each other`,
      );
  },
});

export const wait = operationCommand("reservation.wait", {
  example: "sylk wait rsv_01jd8q3m7k4x9t2v5b8n1c",
  fields: ["id"],
  print: ({ ended }, out) => out.line(ended ? "It has ended" : "It is still held"),
});

export const negotiate = operationCommand("reservation.ask", {
  fields: ["id"],
  print: ({ request }, out) =>
    out.line(
      `Asked (${request.urgency}, ${request.state}); you may force its release ${inTime(request.mayForceAt)}: sylk negotiate force ${request.reservation}`,
    ),
});

export const answer = operationCommand("reservation.answer", {
  fields: ["id", "decision"],
  print({ requests }, out) {
    if (requests.length === 0) return out.line("No agent has asked for it");
    for (const { requester, state, mayForceAt } of requests)
      out.line(`${requester.name}: ${state}; may force its release ${inTime(mayForceAt)}`);
  },
});

export const force = operationCommand("reservation.force", {
  fields: ["id"],
  print: ({ reservation }, out) =>
    out.line(`${covered(reservation)} is free; ${reservation.holder.name} is told. Reserve it now: sylk reserve`),
});

export const check = operationCommand("reservation.check", {
  fields: ["paths"],
  adjust: ({ paths, ...rest }, { cwd }) => ({
    ...rest,
    paths: (paths as readonly string[]).map((path) => repositoryPath(path, cwd)),
  }),
  print: ({ items }, out) =>
    out.table(
      ["path", "state", "holder", "reservation"],
      items.map(({ path, state, holder, reservation }) => [path, state, holder?.name ?? "", reservation ?? ""]),
    ),
});

export const list = operationCommand("reservation.list", {
  adjust: ({ path, ...rest }, { cwd }) => ({
    ...rest,
    ...(typeof path === "string" ? { path: repositoryPath(path, cwd) } : {}),
  }),
  print({ items }, out) {
    if (items.length === 0) return out.line("No path is reserved");
    out.table(
      ["paths", "holder", "status", "mode", "time", "reason", "id"],
      items.map((item) => [
        covered(item),
        item.holder.name,
        item.holder.status,
        item.mode,
        left(item.expiresAt),
        item.reason ?? "",
        item.id,
      ]),
      { spare: ["status", "mode"] },
    );
  },
});

export const stats = operationCommand("reservation.stats", {
  print({ grants, handOvers, handOversPerPathHour, backAndForth, waitedMs, givenUp, graceHits, paths }, out) {
    out.paragraph(
      `${counted(grants, "grant")}, ${counted(handOvers, "hand-over")} (${handOversPerPathHour} per path and hour, ${backAndForth} back and forth), ${minutes(waitedMs)} lost waiting (${counted(givenUp, "wait")} in vain), ${counted(graceHits, "hold")} saved by grace`,
    );
    if (paths.length === 0) return;
    out.table(
      ["path", "grants", "hand-overs", "per hour", "back and forth", "waiting", "in vain", "grace"],
      paths.map((one) => [
        one.path,
        String(one.grants),
        String(one.handOvers),
        String(one.handOversPerHour),
        String(one.backAndForth),
        minutes(one.waitedMs),
        String(one.givenUp),
        String(one.graceHits),
      ]),
    );
  },
});

export const renew = operationCommand("reservation.renew", {
  fields: ["id"],
  print: ({ reservation }, out) => out.line(`${reservation.id}  ${left(reservation.expiresAt)}`),
});

export const free = operationCommand("reservation.release", {
  details: givingUp,
  fields: ["id"],
  print: ({ reservation }, out) => out.line(`${covered(reservation)} is free`),
});

function covered({ paths, patterns }: Pick<Reservation, "paths" | "patterns">): string {
  return [...paths, ...patterns].join(" ");
}

function minutes(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
