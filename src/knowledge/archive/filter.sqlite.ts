/** A filter of entries as conditions of SQL. */
import type { SqlValue } from "../../platform/store/index.ts";
import type { EntryFilter } from "./store.ts";

export function conditionsOf({
  project,
  sessions,
  category,
  kind,
  source,
  status,
  failures,
  withArchived,
}: EntryFilter): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const conditions: [string, ...SqlValue[]][] = [
    ...(failures === true ? ([["failure IS NOT NULL"]] as [string][]) : []),
    ...(withArchived === true ? [] : ([["archived = 0"]] as [string][])),
    ...(project === undefined ? [] : ([["project = ?", project]] as [string, string][])),
    ...(sessions === undefined
      ? []
      : ([["(session IN (SELECT value FROM json_each(?)) OR promotion IS NOT NULL)", JSON.stringify(sessions)]] as [
          string,
          string,
        ][])),
    ...Object.entries({ category, kind, source, status }).flatMap(([column, value]) =>
      value === undefined ? [] : ([[`${column} = ?`, value]] as [string, string][]),
    ),
  ];
  return {
    where: conditions.map(([text]) => text).join(" AND ") || "TRUE",
    values: conditions.flatMap(([, ...values]) => values),
  };
}
