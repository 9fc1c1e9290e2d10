/** Reads from the daemon that served this page. The browser adds its cookie; a refusal keeps its code. */

export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
export async function readDaemon(path) {
  const response = await fetch(path, { headers: { accept: "application/json" }, cache: "no-store" });
  /** @type {unknown} */
  const body = await response.json();
  if (response.ok) return body;
  const { error } = /** @type {{ error?: { message?: string } }} */ (body);
  throw new Refused(response.status, error?.message ?? `the daemon answered ${response.status}`);
}
