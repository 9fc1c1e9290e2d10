/**
 * Follows code from left to right, in all its branches: expressions get the texts that they can be, and calls their effects.
 *
 * Not an interpreter: loops run once with all members, conditions are not decided, a function's body is read where it stands.
 */
import { type Language, notations } from "./language.ts";
import { readTokens } from "./read-tokens.ts";
import { bindingsIn } from "./bindings.ts";
import { partOfPath } from "./path-rules.ts";
import { applyOperator, type Cursor, type Step } from "./operators.ts";
import { anyOf, concatenated, listOf, membersOf, nothing, texts, unknown, type Value } from "./value.ts";

export type Evaluated = {
  /** A call, with its effects if they count now. */
  readonly call: (
    path: string,
    receiver: Value | undefined,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
    hasEffects: boolean,
  ) => Value;
  /** A name that no statement of the code sets; of a member also what it belongs to. */
  readonly nameOf: (path: string, hasEffects: boolean, of?: Value) => Value;
  /** The files that its input comes from are written: `$^I` of perl. */
  readonly inPlace: (files: Value) => void;
  readonly command: (text: Value, hasEffects: boolean) => Value;
  readonly isBareCall: (name: string) => boolean;
  readonly tooLong: () => void;
};

const deepest = 40;
const mostSteps = 20_000;
const opening: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Words before a value. */
const skipped = new Set(
  "await new const let var my our local return not async export default static yield lambda do then else elsif elif unless until try finally begin ensure rescue end static public private".split(
    " ",
  ),
);

export function evaluate(code: string, language: Language, ports: Evaluated): void {
  const read = readTokens(code, language);
  if (read === undefined) return ports.tooLong();
  const tokens = read;
  const notation = notations[language];
  const bindings = bindingsIn(tokens);
  const bound = new Map<string, Value>();
  let hasEffects = true;
  let depth = 0;
  let steps = 0;

  const signAt = (at: number): string => (tokens[at]?.kind === "sign" ? tokens[at].text : "");
  const nameAt = (at: number): string => (tokens[at]?.kind === "name" ? tokens[at].text : "");

  const cursor: Cursor = {
    language,
    tokens,
    signAt,
    nameAt,
    term,
    expression,
    bind: (name, value) => void bound.set(name, value),
  };

  sequence(0, "");

  /** Up to the closing sign, which is taken too. */
  function sequence(from: number, close: string): Step & { items: Value[]; named: Map<string, Value> } {
    const items: Value[] = [];
    const named = new Map<string, Value>();
    let at = from;
    while (at < tokens.length) {
      const sign = signAt(at);
      if (close !== "" && sign === close) return { value: listOf(items), next: at + 1, items, named };
      if (close === "" && /^[)\]}]$/.test(sign)) at++;
      else if ([",", ";", "\n", ":"].includes(sign)) at++;
      else at = argument(at, items, named);
    }
    return { value: listOf(items), next: at, items, named };
  }

  /** Adds one argument, by its name if it has one; gives the place behind it. */
  function argument(at: number, items: Value[], named: Map<string, Value>): number {
    const key = keyAt(at);
    const step = expression(key === undefined ? at : at + 2);
    if (key === undefined) items.push(step.value);
    else named.set(key, step.value);
    return Math.max(step.next, at + 1);
  }

  /** `mode="w"`, `cwd: "src"`, `"cwd" => "src"` */
  function keyAt(at: number): string | undefined {
    const token = tokens[at];
    const [key] = token?.kind === "text" && token.pieces.length === 1 ? token.pieces : [nameAt(at)];
    if (typeof key !== "string" || key === "") return undefined;
    const sign = signAt(at + 1);
    if (sign === ":" || sign === "=>")
      return signAt(at + 2) === "{" && sign === "=>" && token?.kind === "name" ? undefined : key;
    return sign === "=" && ["python", "r"].includes(language) && token?.kind === "name" ? key : undefined;
  }

  function expression(from: number): Step {
    if (depth > deepest || ++steps > mostSteps) {
      if (steps > mostSteps) ports.tooLong();
      return { value: unknown, next: from + 1 };
    }
    depth++;
    let { value, next } = term(from);
    for (;;) {
      const step = applyOperator(value, next, cursor);
      if (step === undefined) break;
      ({ value, next } = step);
    }
    depth--;
    return { value, next };
  }

  function term(from: number): Step {
    const token = tokens[from];
    if (token === undefined) return { value: nothing, next: from + 1 };
    if (token.kind === "number") return postfix(texts(token.text), "", from + 1);
    if (token.kind === "expression") return postfix(nothing, "", from + 1);
    if (token.kind === "text") return text(from);
    if (token.kind === "name") return named(token.text, from);
    const close = opening[token.text];
    if (close !== undefined) {
      const inside = sequence(from + 1, close);
      const [only] = inside.items;
      const isGroup = token.text === "(" && inside.items.length === 1 && only !== undefined;
      const value = isGroup ? only : { ...inside.value, named: inside.named };
      return postfix(value, "", inside.next);
    }
    if (token.text === "<" && language === "perl") return angle(from);
    if (["!", "-", "\\", "*", "...", "&", "@", "$", "%", "~"].includes(token.text)) return term(from + 1);
    return { value: nothing, next: from + (/^[)\]}]$/.test(token.text) ? 0 : 1) };
  }

  function text(from: number): Step {
    let value: Value | undefined;
    let at = from;
    for (let token = tokens[at]; token?.kind === "text"; token = tokens[++at]) {
      const one = token.pieces.reduce<Value>(
        (all, piece) => concatenated(all, typeof piece === "string" ? texts(piece) : inside(piece.code)),
        texts(""),
      );
      value = value === undefined ? one : concatenated(value, one);
      if (token.isCommand) value = ports.command(value, hasEffects);
      if (!["python", "ruby"].includes(language)) {
        at++;
        break;
      }
    }
    return postfix(value ?? nothing, "", at);
  }

  /** A value inside a text: a name, or a plain text. */
  function inside(source: string): Value {
    const [, literal] = /^\s*(?:"([^"]*)"|'([^']*)')\s*$/.exec(source) ?? [];
    if (literal !== undefined) return texts(literal);
    const quoted = /^\s*'([^']*)'\s*$/.exec(source)?.[1];
    if (quoted !== undefined) return texts(quoted);
    const index = /^(\$?\w+)\[(\d+)\]$/.exec(source.trim());
    const value = lookUp((index?.[1] ?? source).trim(), tokens.length);
    return index === null ? value : elementOf(value, texts(index[2]!));
  }

  function angle(from: number): Step {
    const end = tokens.findIndex((_, at) => at > from && at < from + 12 && signAt(at) === ">");
    if (end === -1) return { value: nothing, next: from + 1 };
    const words = tokens.slice(from + 1, end).map((one) => (one.kind === "text" ? "" : one.text));
    const name = words.join("");
    const value =
      name === "" || name === "STDIN"
        ? ports.nameOf("STDIN", hasEffects)
        : name.startsWith("$")
          ? lookUp(name, from)
          : texts({ text: name, glob: name });
    return { value, next: end + 1 };
  }

  function named(name: string, from: number): Step {
    if (language === "perl" && /^(?:use|no|require)$/.test(name) && nameAt(from + 1) !== "")
      return { value: nothing, next: behindImport(from) };
    if (language === "perl" && /^\$(?:\^I|INPLACE_EDIT)$/.test(name) && hasEffects) ports.inPlace(allOf("@ARGV"));
    if (skipped.has(name) && !(name === "do" && language === "perl" && tokens[from + 1]?.kind === "text"))
      return term(from + 1);
    if (/^(?:for|foreach)$/.test(name)) return { value: nothing, next: behindLoop(from) };
    if (/^(?:function|def|sub|class|fn)$/.test(name))
      return { value: nothing, next: signAt(from + 1) === "(" || nameAt(from + 1) === "" ? from + 1 : from + 2 };
    if (
      /^(?:if|while|elif|switch|with|and|or|in|of|is|print|echo|puts|say|die|raise|throw|assert|del|case|except|catch)$/.test(
        name,
      ) &&
      signAt(from + 1) !== "("
    )
      return expression(from + 1);
    if (
      /^(?:import|from)$/.test(name) &&
      !["(", "."].includes(signAt(from + 1)) &&
      ["python", "javascript"].includes(language)
    )
      return { value: nothing, next: behindImport(from) };
    // A function that is called, or whose member is asked for, is not handed on.
    const isHandedOn = !["(", ".", "::", "->", "?.", "["].includes(signAt(from + 1));
    return postfix(lookUp(name, from, isHandedOn), name, from + 1);
  }

  /** The head of a loop sets names; its list and body are read where they stand. */
  function behindLoop(from: number): number {
    for (let at = from + 1; at < Math.min(tokens.length, from + 20); at++) {
      if (/^(?:in|of)$/.test(nameAt(at))) return at + 1;
      if (["\n", ";", "{"].includes(signAt(at))) break;
    }
    return from + 1;
  }

  function postfix(start: Value, path: string, from: number): Step {
    let [value, name, at] = [start, path, from];
    for (;;) {
      const sign = signAt(at);
      const isMember = [".", "->", "::", "?."].includes(sign) || (sign === ":" && language === "lua");
      const isText = sign === "." && ["perl", "php"].includes(language);
      if (isMember && !isText && nameAt(at + 1) !== "") {
        const member = nameAt(at + 1);
        const isCalled = signAt(at + 2) === "(" || (signAt(at + 2) === "?." && signAt(at + 3) === "(");
        const full = name === "" ? `.${member}` : `${name}.${member}`;
        if (isCalled || isBare(at + 2, full)) {
          const called = callAt(full, value, signAt(at + 2) === "?." ? at + 3 : at + 2);
          [value, name, at] = [called.value, called.value.module ?? "", called.next];
        } else {
          value =
            value.named?.get(member) ?? memberOf(value, full, ![".", "?.", "[", "::", "->"].includes(signAt(at + 2)));
          [name, at] = [full, at + 2];
        }
      } else if (sign === "(" && name !== "") {
        const called = callAt(name, undefined, at);
        [value, name, at] = [called.value, called.value.module ?? "", called.next];
      } else if (sign === "[" || (sign === "{" && language === "perl" && /^\$\w+$/.test(name))) {
        const index = sequence(at + 1, opening[sign]!);
        value = elementOf(value, index.items[0] ?? nothing, name, index.items.length);
        const key = index.items.length === 1 && index.items[0]!.isKnown ? index.items[0]!.fields[0]?.text : undefined;
        const isMember = name !== "" && key !== undefined && /^[A-Za-z_]\w*$/.test(key) && signAt(index.next) === "(";
        [name, at] = [isMember ? `${name}.${key}` : "", index.next];
      } else if (sign === "->" && ["[", "{", "("].includes(signAt(at + 1))) at++;
      else if (name !== "" && isBare(at, name)) {
        const called = callAt(name, undefined, at);
        [value, name, at] = [called.value, called.value.module ?? "", called.next];
      } else break;
    }
    return blockBehind(value, at);
  }

  /** `unlink "a"`, `File.delete "a"`: a call without parentheses. */
  function isBare(at: number, name: string): boolean {
    const isInclude = language === "php" && /^(?:include|require)(?:_once)?$/.test(name);
    if (!(notation.isBare || isInclude) || !ports.isBareCall(name)) return false;
    const token = tokens[at];
    if (token === undefined) return true;
    if (token.kind === "sign") return !["=", "=>", "==", ".", ",", "->", "("].includes(token.text);
    return true;
  }

  function callAt(called: string, receiver: Value | undefined, at: number): Step {
    const name =
      language === "php" && called.startsWith("$") && receiver === undefined ? functionIn(called, at) : called;
    if (signAt(at) !== "(") {
      const list = bareArguments(at);
      return { value: ports.call(name, receiver, list.items, list.named, hasEffects), next: list.next };
    }
    bindParameters(at + 1, receiver);
    const inside = sequence(at + 1, ")");
    return { value: ports.call(name, receiver, inside.items, inside.named, hasEffects), next: inside.next };
  }

  /** `$f = "unlink"; $f("a")`: a variable whose text is the function's name. */
  function functionIn(variable: string, at: number): string {
    const { fields, isKnown } = lookUp(variable, at);
    return isKnown && fields.length === 1 ? fields[0]!.text : variable;
  }

  function bareArguments(from: number): { items: Value[]; named: Map<string, Value>; next: number } {
    const items: Value[] = [];
    const named = new Map<string, Value>();
    let at = from;
    while (
      at < tokens.length &&
      !/^[;\n)}\]]$/.test(signAt(at)) &&
      !/^(?:or|and|if|unless|for|foreach|while|do|end|then)$/.test(nameAt(at))
    ) {
      if ([",", ":"].includes(signAt(at))) at++;
      else at = argument(at, items, named);
    }
    if (items.length === 0 && /^(?:for|foreach)$/.test(nameAt(at))) items.push(expression(at + 1).value);
    return { items, named, next: at };
  }

  /** `list.forEach((file) => …)`: the parameter is a member of the list. */
  function bindParameters(at: number, receiver: Value | undefined): void {
    if (receiver === undefined) return;
    let first = nameAt(at) === "async" ? at + 1 : at;
    if (nameAt(first) === "function") first++;
    if (signAt(first) === "(") first++;
    const name = nameAt(first);
    if (name !== "" && (signAt(first + 1) === "=>" || first > at || nameAt(at) === "lambda")) bound.set(name, receiver);
  }

  /** `list.each { |file| … }`, `File.open("a") do |f|` */
  function blockBehind(value: Value, at: number): Step {
    const isBlock = signAt(at) === "{" || nameAt(at) === "do";
    if (isBlock && signAt(at + 1) === "|" && nameAt(at + 2) !== "") bound.set(nameAt(at + 2), value);
    return { value, next: isBlock && signAt(at + 1) === "|" && nameAt(at) === "do" ? at + 1 : at };
  }

  function memberOf(value: Value, full: string, isHandedOn: boolean): Value {
    const own = ports.nameOf(full, hasEffects && isHandedOn, value);
    if (own.isKnown || own.fields.length > 0) return own;
    const part = value.isPath === true ? partOfPath(value, full.slice(full.lastIndexOf(".") + 1)) : undefined;
    if (part !== undefined) return part;
    return /\.(?:parent|name|stem|path|value|to_s|strip|chomp|size|length|st_size)$/.test(full)
      ? value
      : value.named === undefined
        ? { ...value, items: undefined }
        : unknown;
  }

  function elementOf(value: Value, index: Value, name = "", count = 1): Value {
    if (name !== "" && /^(?:%?\$?ENV|os\.environ|process\.env)$/.test(name))
      return ports.nameOf(`env ${index.fields[0]?.text ?? ""}`, hasEffects);
    const [number] = index.fields;
    const key = number?.text ?? "";
    const list = name === "$ARGV" ? ports.nameOf("@ARGV", hasEffects) : value;
    if (list.named?.has(key)) return list.named.get(key)!;
    if (list.items !== undefined && /^\d+$/.test(key) && count === 1) return list.items[Number(key)] ?? unknown;
    return { fields: membersOf(list), isKnown: list.isKnown, content: list.content };
  }

  function behindImport(from: number): number {
    for (let at = from + 1; at < tokens.length; at++) {
      if (tokens[at]!.kind === "text" || ["\n", ";"].includes(signAt(at))) return at + 1;
    }
    return tokens.length;
  }

  /** Every value that a statement gives it. */
  function allOf(name: string): Value {
    const list = bindings.get(name);
    if (list === undefined) return ports.nameOf(name, false);
    const isAdded = tokens.some((_, at) => /^(?:push|unshift|splice)$/.test(nameAt(at)) && nameAt(at + 1) === name);
    return anyOf([...(isAdded ? [unknown] : []), ...list.map(({ at }) => lookUp(name, at + 1))]);
  }

  function lookUp(name: string, at: number, isHandedOn = false): Value {
    const dynamic = bound.get(name) ?? bound.get(name.replace(/^\$/, "@"));
    if (dynamic !== undefined) return dynamic;
    const list = bindings.get(name) ?? (name.startsWith("$") ? bindings.get(`@${name.slice(1)}`) : undefined);
    const binding = list?.findLast((one) => one.at < at) ?? list?.[0];
    if (binding === undefined || depth > deepest) return ports.nameOf(name, hasEffects && isHandedOn);
    const before = hasEffects;
    hasEffects = false;
    depth++;
    bindings.delete(name); // not by itself
    const { value } = expression(binding.from);
    bindings.set(name, list!);
    depth--;
    hasEffects = before;
    if (binding.index === undefined) return value;
    return (
      value.named?.get(name) ?? value.items?.[binding.index] ?? { fields: membersOf(value), isKnown: value.isKnown }
    );
  }
}
