/** The flag of an input's field: `fencingToken` is --fencing-token. A time is typed with its unit, so `ttlMs` is --ttl. */
export function flagName(field: string): string {
  return field.replace(/(?<=[a-z])Ms$/, "").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function isTimeField(field: string): boolean {
  return /[a-z]Ms$/.test(field);
}
