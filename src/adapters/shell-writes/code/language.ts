/** The languages whose code is read, and how their texts and comments look. */
export type Language = "javascript" | "lua" | "perl" | "php" | "python" | "r" | "ruby" | "tcl";

export type Notation = {
  readonly comment: RegExp;
  /** Signs before a name that belong to it. */
  readonly sigils: string;
  /** A backtick runs a command; in JavaScript it is a text. */
  readonly tick: "command" | "text" | undefined;
  /** How a text takes in values: `${…}`, `#{…}`, `{…}` behind f, `$x`. */
  readonly filled: RegExp | undefined;
  readonly hasExpressions: boolean;
  /** A line's end ends a statement. */
  readonly isByLine: boolean;
  /** `unlink "a", "b"`: arguments without parentheses. */
  readonly isBare: boolean;
};

const none: Notation = {
  comment: /#[^\n]*/y,
  sigils: "",
  tick: undefined,
  filled: undefined,
  hasExpressions: false,
  isByLine: true,
  isBare: false,
};

export const notations: Readonly<Record<Language, Notation>> = {
  javascript: {
    ...none,
    comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
    sigils: "$",
    tick: "text",
    hasExpressions: true,
    filled: /\$\{([^}]*)\}/g,
  },
  lua: { ...none, comment: /--\[\[[\s\S]*?\]\]|--[^\n]*/y, isBare: true },
  perl: {
    ...none,
    sigils: "$@%&",
    tick: "command",
    filled: /[$@](?:\{(\w+)\}|(\w+(?:\[\d+\])?|_))/g,
    hasExpressions: true,
    isByLine: false,
    isBare: true,
  },
  php: {
    ...none,
    comment: /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
    sigils: "$",
    tick: "command",
    filled: /\{?\$(\w+(?:\[\w+\])?)\}?/g,
    isByLine: false,
  },
  python: { ...none, filled: /\{([^{}]*)\}/g },
  r: none,
  ruby: { ...none, sigils: "$@", tick: "command", filled: /#\{([^}]*)\}/g, hasExpressions: true, isBare: true },
  tcl: { ...none, isBare: true },
};
