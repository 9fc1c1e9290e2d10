/** Takes a key out of text that somebody else wrote: providers and proxies do echo what they were sent. */
export type Redact = (text: string) => string;

/** Shorter "keys" are placeholders such as "x"; to blank those would only make messages unreadable. */
const shortestSecret = 6;

export function redactor(secret: string | undefined): Redact {
  if (secret === undefined || secret.length < shortestSecret) return (text) => text;
  const spellings = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return (text) => spellings.reduce((clean, spelling) => clean.replaceAll(spelling, "[key]"), text);
}
