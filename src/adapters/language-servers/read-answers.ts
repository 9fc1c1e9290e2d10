/** Turns what a server answered into ours. It may be anything: what is not of the protocol is a failure, never "none". */
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { CodeDiagnostic, PrecisePlace } from "../../knowledge/code-index/index.ts";
import { ServerFailure } from "./server-failure.ts";

const Offset = z.int().min(0).max(2_147_483_646);
const Position = z.object({ line: Offset, character: Offset });
const Range = z.object({ start: Position, end: Position });
const Address = z.string().max(8_192);
const Location = z.object({ uri: Address, range: Range });
const LocationLink = z.object({ targetUri: Address, targetSelectionRange: Range });
const Locations = z.union([z.null(), Location, z.array(Location), z.array(LocationLink)]);

const Marked = z.union([z.string(), z.object({ value: z.string() })]);
const Hover = z.union([z.null(), z.object({ contents: z.union([Marked, z.array(Marked)]) })]);

const Diagnostics = z.array(
  z.object({
    range: Range,
    severity: z.int().min(1).max(4).optional(),
    message: z.union([z.string(), z.object({ value: z.string() })]),
    code: z.union([z.string(), z.number()]).optional(),
    source: z.string().optional(),
  }),
);
const Report = z.object({ kind: z.literal("full").optional(), items: Diagnostics });

const mostPlaces = 5_000;
const mostDiagnostics = 1_000;
const longestText = 8_000;
const severities = ["error", "warning", "information", "hint"] as const;

export function readPlaces(answer: unknown, server: string, tree: string) {
  const said = parse(Locations, answer, server, "a list of places");
  const all = said === null ? [] : Array.isArray(said) ? said : [said];
  const places = all
    .slice(0, mostPlaces)
    .map((one) =>
      "uri" in one ? placeOf(one.uri, one.range, tree) : placeOf(one.targetUri, one.targetSelectionRange, tree),
    );
  return { places, more: all.length > mostPlaces };
}

export function readHover(answer: unknown, server: string) {
  const said = parse(Hover, answer, server, "a description");
  const parts = said === null ? [] : [said.contents].flat();
  const text = parts.map((part) => (typeof part === "string" ? part : part.value)).join("\n\n");
  return { text: text.trim().slice(0, longestText) };
}

export function readDiagnostics(answer: unknown, server: string) {
  return diagnosticsOf(parse(Diagnostics, answer, server, "diagnostics"));
}

export function readReport(answer: unknown, server: string) {
  return diagnosticsOf(parse(Report, answer, server, "diagnostics").items);
}

function diagnosticsOf(all: z.infer<typeof Diagnostics>) {
  const diagnostics = all
    .slice(0, mostDiagnostics)
    .map(({ range, severity = 1, message, code, source }): CodeDiagnostic => ({
      ...rangeOf(range),
      severity: severities[severity - 1]!,
      message: (typeof message === "string" ? message : message.value).slice(0, longestText),
      ...(code === undefined ? {} : { code: String(code).slice(0, 100) }),
      ...(source === undefined ? {} : { source: source.slice(0, 100) }),
    }));
  return { diagnostics, more: all.length > mostDiagnostics };
}

function placeOf(uri: string, range: z.infer<typeof Range>, tree: string): PrecisePlace {
  const file = pathOf(uri);
  const path = file === undefined ? uri : relative(tree, file);
  const isInTree =
    file !== undefined && path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return { path: isInTree ? path : (file ?? uri), isInTree, ...rangeOf(range) };
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined; // an address that is not a file's: a class inside an archive, for one
  }
}

function rangeOf({ start, end }: z.infer<typeof Range>) {
  return { line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}

function parse<T>(schema: z.ZodType<T>, answer: unknown, server: string, what: string): T {
  const said = schema.safeParse(answer);
  if (said.success) return said.data;
  throw new ServerFailure(`${server} answered with something that is not ${what}`, "failed", said.error);
}
