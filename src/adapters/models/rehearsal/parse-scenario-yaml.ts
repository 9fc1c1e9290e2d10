/** KeyedQueue YAML (or JSON, which is YAML) into a checked scenario, with the place of every problem. */
import type * as z from "zod";
import { parsePlacedYaml, type Place, type PlacedYaml } from "../../../platform/placed-yaml.ts";
import { InvalidScenario } from "./invalid-scenario.ts";

export function parseScenarioYaml<T>(text: string, file: string, schema: z.ZodType<T>): T {
  const where = ({ line, column }: Place): string => `${file}:${line}:${column}`;
  const parsed = parsePlacedYaml(text);
  if ("problems" in parsed)
    throw new InvalidScenario(parsed.problems.map(({ message, ...place }) => ({ where: where(place), message })));
  const checked = schema.safeParse(parsed.value);
  if (checked.success) return checked.data;
  throw new InvalidScenario(
    checked.error.issues
      .flatMap((issue) => placed(issue, parsed))
      .map(({ place, message }) => ({ where: where(place), message })),
  );
}

function placed(issue: z.core.$ZodIssue, { placeOf }: PlacedYaml): { place: Place; message: string }[] {
  const name = issue.path.map(String).join(".") || "the scenario";
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      place: placeOf([...issue.path, key]),
      message: `"${key}" is not known in ${name}`,
    }));
  return [{ place: placeOf(issue.path), message: `${name}: ${issue.message}` }];
}
