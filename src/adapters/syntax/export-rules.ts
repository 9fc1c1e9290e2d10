/**
 * Whether other files can name a symbol, by the rules of its language as far as its own text says them.
 *
 * `inherited` is the answer for the symbol around it; undefined at the top of a file.
 */
export type ExportRule = (symbol: {
  readonly name: string;
  readonly signature: string;
  readonly inherited: boolean | undefined;
  readonly isInInterface: boolean;
}) => boolean;

const hidden =
  /^(?:[\w@()]+ )*?(?:private|fileprivate)\b|^def(?:p|macrop|guardp)\b|^(?:(?:static|readonly|async|get|set) )*#/;

export const exportRules = {
  everything: () => true,
  exportKeyword: ({ signature, inherited }) =>
    inherited === undefined ? /^(export|declare)\b/.test(signature) : inherited && !hidden.test(signature),
  capitalised: ({ name }) => /^\p{Lu}/u.test(name),
  noUnderscore: ({ name, inherited }) => (!name.startsWith("_") || /^__\w+__$/.test(name)) && inherited !== false,
  pub: ({ signature, inherited, isInInterface }) => (isInInterface ? inherited === true : /^pub\b/.test(signature)),
  statedMembers: ({ signature, inherited, isInInterface }) =>
    inherited !== false &&
    (inherited === undefined || isInInterface || /\b(public|internal|protected)\b/.test(signature)),
  notPrivate: ({ signature, inherited }) => inherited !== false && !hidden.test(signature),
  notStatic: ({ signature, inherited }) => inherited ?? !/^static\b/.test(signature),
} satisfies Readonly<Record<string, ExportRule>>;
