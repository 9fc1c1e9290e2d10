/**
 * Whether the text after `password =` is the secret itself or code that gets one.
 *
 *   password = "hunter2"   secret        password = readPassword()   code
 *   API_KEY=correcthorse   secret        token: string               a type
 *
 * In doubt it is a secret when it has a digit or is quoted: a hidden word costs a second look, a written one a new key.
 */
type Literal =
  | { readonly text: string; readonly quoted: true }
  | {
      readonly text: string;
      readonly quoted: false;
      readonly name: string;
      readonly between: string;
      /** The characters beside it. */
      readonly before: string;
      readonly next: string;
    };

/** Placeholders, references, masks, and what this very code leaves behind. */
const REFERENCE = /^(?:[$%<{[(*]|\.\.\.|…|(?:process|import|env|os|self|this|config|settings|options)\b[.[])|^(.)\1*$/i;
const WORD =
  /^(?:string|number|boolean|bigint|null|undefined|none|nil|true|false|void|any|unknown|object|required|optional|hidden|text|password|secret|token|authorization|cookie|bearer|basic|example|redacted|changeme)$/i;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:[.?!:-]+[\w$]+)*[.?!:]*$/;

export function isLiteralSecret(literal: Literal): boolean {
  const { text } = literal;
  if (text.includes("[redacted]") || REFERENCE.test(text) || WORD.test(text)) return false;
  const hasDigit = /\d/.test(text);
  if (literal.quoted) return text.length >= (hasDigit ? 4 : 6) && (hasDigit || !/\s|\$\{/.test(text));
  if (literal.next !== "" || text.length < 4) return false;
  if (/^\d+$/.test(text)) return text.length >= 6 && /^(?:pass|pwd|secret)/i.test(literal.name);
  if (hasDigit || !IDENTIFIER.test(text)) return text.length >= 6;
  return text.length >= 6 && isEnvironmentStyle(literal);
}

/** `API_KEY=…` of an environment file and `?token=…` of an address: no code looks like that. */
function isEnvironmentStyle({ name, between, before }: Extract<Literal, { quoted: false }>): boolean {
  if (between !== "=") return false;
  return /[?&]/.test(before) || (name === name.toUpperCase() && /^[_A-Z0-9\s]?$/.test(before));
}
