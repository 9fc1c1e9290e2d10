/**
 * Removes anything from text that looks like a secret.
 *
 *   text -> anything suspicious at all? -> key shapes -> headers -> passwords in addresses -> name = value -> clean text
 *
 * A token of ours counts from its first letter on, because a long text may have been cut in the middle of one.
 * Invariant: what was cleaned once stays as it is when it is cleaned again.
 */
import { isLiteralSecret } from "./literal-secret.ts";

export const REDACTED = "[redacted]";

/** Nearly all text has none of these, and is let through after one look. */
const SUSPICIOUS =
  /sylk_|sk[-_]|sk[0-9a-f]{8}|rk_|AKIA|ASIA|gh[a-z]_|github_pat_|glpat-|xox|xapp-|AIza|npm_|hf_|eyJ|SG\.|do[opr]_v1_|lin_|pypi-|:AA|\.[\w-]{6}\.|Q~|\+ASt|sig=|webhooks\/|-----BEGIN|bearer|:\/\/|token|authorization|passw|passphrase|pwd|secret|key|cookie/i;

/** Shapes that mean a secret wherever they stand; what is captured stays. */
const SHAPES: readonly RegExp[] = [
  /(sylk_(?:usr|agt|hk|mcp)_)[A-Za-z0-9_-]+/g,
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)(?! \[redacted\])[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  /(\bsk-)(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{16,}/g,
  /(\b[sr]k_(?:live|test)_)[A-Za-z0-9]{10,}/g,
  /(\b(?:AKIA|ASIA))[0-9A-Z]{16}\b/g,
  /(\b(?:gh[pousr]|npm|hf)_)[A-Za-z0-9]{20,}/g,
  /(\bgithub_pat_)\w{20,}/g,
  /(\bglpat-)[\w-]{16,}/g,
  /(\bxox[a-z]-)[A-Za-z0-9-]{10,}/g,
  /(\bxapp-)[A-Za-z0-9-]{10,}/g,
  /(\bAIza)[A-Za-z0-9_-]{30,}/g,
  /(\beyJ)[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  // Azure: the key of a storage account, which a checksum such as sha512-…== looks like but for its name; a shared access
  // signature; the secret of an application.
  /(\b(?:account|storage|cosmos)[\w-]{0,30}key\\?["']?\s{0,20}[:=]\s{0,20}\\?["']?)[A-Za-z0-9+/]{86}==/gi,
  /(\b)[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}==/g,
  /([?&;]sig=)[A-Za-z0-9%+/_-]{40,}={0,2}/gi,
  /((?<![\w~.-]))[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g,
  // Twilio, SendGrid, DigitalOcean, Linear, PyPI
  /(\bSK)[0-9a-f]{32}\b/g,
  /(\bSG\.)[\w-]{16,32}\.[\w-]{16,64}/g,
  /(\bdo[opr]_v1_)[0-9a-f]{32,}/g,
  /(\blin_(?:api|oauth|wh)_)[A-Za-z0-9]{20,}/g,
  /(\bpypi-)AgE[\w-]{30,}/g,
  // Discord: a bot's token, and the address of a webhook, whose last part is the secret. Telegram: a bot's number stays.
  /(\b)[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}/g,
  /(\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,20}\/)[\w-]{20,}/gi,
  /(\b\d{8,10}:)AA[\w-]{33}(?![\w-])/g,
  // "bearer token" is prose: what follows must have a digit, or be longer than a word.
  /(\bbearer\s+)(?=[A-Za-z._~+/=-]{0,80}\d|[A-Za-z0-9._~+/=-]{20})[A-Za-z0-9._~+/=-]{6,}/gi,
  /(\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:bearer|basic|digest|token)\s+)(?![[${<])[^\s"',;\\]+/gi,
  /(\bcookie\\?["']?\s*[:=]\s*\\?["']?)(?=[\w.-]{1,80}=)[^\r\n"']+/gi,
  // postgres://user:password@host, but not ://${user}:${password}@
  /(:\/\/[^\s:/@]{0,200}:)(?![[${<%])[^\s/@]+(?=@)/g,
];

/** `token=…`, `"password": "…"`, `--api-key …`, and the same inside a JSON string, where quotes are escaped. */
const NAMED = new RegExp(
  String.raw`(?<name>(?<!fencing[-_]?)(?:token|authorization|password|passwd|pwd|passphrase|secret|(?:api|access|private|signing|encryption)[-_]?key|cookie))` +
    String.raw`(?<between>\\?["']?\s{0,20}(?:[:=]={0,2}(?!>)|:=)\s{0,20}|(?<=--[\w-]{0,40})\s{1,20})` +
    String.raw`(?:(?<quote>\\"|\\'|["'\x60])(?<quoted>(?:\\{3}.|(?!\k<quote>)(?:\\.|[^\\\r\n]))*)|(?<bare>[^\s"'\x60,;&()[\]{}<>|\\]+)(?<next>[([]?))`,
  "gi",
);

/** A removal may bring a name and a value together that were apart before. */
const mostPasses = 5;

export function redactText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let clean = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = redactOnce(clean);
    if (next === clean) break;
    clean = next;
  }
  return clean;
}

function redactOnce(text: string): string {
  const shaped = SHAPES.reduce(
    (clean, shape) => clean.replace(shape, (_, kept: string) => kept + (kept.endsWith("-----") ? " " : "") + REDACTED),
    text,
  );
  return shaped.replace(NAMED, (...match) => {
    const [all] = match;
    const { name, between, quote, quoted, bare, next } = match.at(-1) as Record<string, string | undefined>;
    const before = shaped[(match.at(-3) as number) - 1] ?? "";
    if (quoted !== undefined)
      return isLiteralSecret({ text: quoted, quoted: true }) ? `${name}${between}${quote}${REDACTED}` : all;
    const secret = isLiteralSecret({ text: bare!, quoted: false, name: name!, between: between!, before, next: next! });
    return secret ? `${name}${between}${REDACTED}${next}` : all;
  });
}

const SECRET_NAME = /(token|authorization|password|passwd|passphrase|secret|apikey|accesskey|privatekey|cookie)$/;

/** True for `token`, `API_KEY`, `x-api-key`, `accessToken`; a fencing token is a counter, not a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_\s]/g, "");
  return SECRET_NAME.test(plain) && !plain.endsWith("fencingtoken");
}
