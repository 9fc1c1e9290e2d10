/** Values as JSON brings them: there is no -0 in it. */
import fc from "fast-check";

export function jsonValue(terms: fc.JsonSharedConstraints): fc.Arbitrary<fc.JsonValue> {
  return fc.jsonValue(terms).map((value) => JSON.parse(JSON.stringify(value)) as fc.JsonValue);
}
