/** A tree of HTML as plain lines: headings as Markdown has them, items, table rows, code between fences. */
/** As much of a tree as is read here. */
export type TreeNode = {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<TreeNode>;
};
export type TreeElement = TreeNode & {
  readonly tagName: string;
  readonly children: Iterable<TreeElement>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
};
type Part = { readonly text: string; readonly isBlock: boolean };

const left: ReadonlySet<string> = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT EMBED CANVAS FORM BUTTON SELECT INPUT TEXTAREA HEAD META LINK TITLE".split(
    " ",
  ),
);
const blocks: ReadonlySet<string> = new Set(
  "P DIV SECTION ARTICLE MAIN ASIDE HEADER FOOTER NAV UL OL DL DT DD LI TABLE THEAD TBODY TR BLOCKQUOTE FIGURE FIGCAPTION ADDRESS DETAILS SUMMARY HR BODY".split(
    " ",
  ),
);
const deepest = 400;

export function htmlText(root: TreeNode): string {
  return joined(partsOf(root, 0))
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function partsOf(node: TreeNode, depth: number): readonly Part[] {
  if (depth > deepest) return [];
  return [...node.childNodes].flatMap((child) => partOf(child, depth + 1));
}

function partOf(node: TreeNode, depth: number): readonly Part[] {
  if (node.nodeType === 3) return [{ text: (node.textContent ?? "").replaceAll(/\s+/g, " "), isBlock: false }];
  if (node.nodeType !== 1) return [];
  const element = node as TreeElement;
  const tag = element.tagName.toUpperCase();
  if (left.has(tag) || isHidden(element)) return [];
  const level = /^H([1-6])$/.exec(tag)?.[1];
  const inner = (): string => joined(partsOf(node, depth)).trim();
  if (level !== undefined) return block(`\n${"#".repeat(Number(level))} ${inner().replaceAll("\n", " ")}\n`);
  if (tag === "BR") return [{ text: "\n", isBlock: false }];
  if (tag === "PRE") return block(`\n\`\`\`\n${(element.textContent ?? "").replace(/\n+$/, "")}\n\`\`\`\n`);
  if (tag === "LI") return block(`- ${inner()}`);
  if (tag === "TR") return block(cells(element, depth));
  if (tag === "CODE") return [{ text: `\`${element.textContent ?? ""}\``, isBlock: false }];
  if (tag === "P" || tag === "BLOCKQUOTE") return block(`\n${inner()}\n`);
  return blocks.has(tag) ? block(inner()) : partsOf(node, depth);
}

function cells(row: TreeElement, depth: number): string {
  const texts = [...row.children].map((cell) => joined(partsOf(cell, depth)).replaceAll(/\s+/g, " ").trim());
  return `| ${texts.join(" | ")} |`;
}

/** What a reader of the page does not see is not part of what it says. */
export function isHidden(element: TreeElement): boolean {
  const style = (element.getAttribute("style") ?? "").toLowerCase().replaceAll(/\s/g, "");
  return (
    element.hasAttribute("hidden") ||
    element.getAttribute("aria-hidden") === "true" ||
    /display:none|visibility:hidden|font-size:0(?:[^.\d]|$)|opacity:0(?:[^.\d]|$)/.test(style)
  );
}

function block(text: string): readonly Part[] {
  return [{ text, isBlock: true }];
}

function joined(parts: readonly Part[]): string {
  let text = "";
  for (const part of parts) {
    const needsBreak = part.isBlock && text !== "" && !text.endsWith("\n");
    text += (needsBreak ? "\n" : "") + part.text + (part.isBlock && !part.text.endsWith("\n") ? "\n" : "");
  }
  return text;
}
