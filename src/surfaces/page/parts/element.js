/**
 * Elements from plain values, and putting them into the document by changing only what differs: focus, selection and
 * opened details stay. Text is only ever text: no name an agent gives itself becomes markup.
 */

/**
 * @typedef {Node | string | number | false | null | undefined} Child
 * @typedef {Readonly<Record<string, string | number | boolean | undefined>>} Attributes
 */

/**
 * @param {string} tag
 * @param {Attributes} attributes a `key` names the element among its siblings
 * @param {...(Child | readonly Child[])} children
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name === "key" ? "data-key" : name, value === true ? "" : String(value));
  }
  made.append(...nodesOf(children));
  return made;
}

/**
 * Makes an element's content equal to the given one.
 *
 * @param {Element} target
 * @param {...(Child | readonly Child[])} children
 */
export function fill(target, ...children) {
  const fresh = document.createDocumentFragment();
  fresh.append(...nodesOf(children));
  fresh.normalize();
  matchChildren(target, fresh);
}

/**
 * @param {readonly (Child | readonly Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodesOf(children) {
  return children
    .flat()
    .filter((child) => child !== false && child !== null && child !== undefined)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * @param {Node} target
 * @param {Node} wanted
 */
function matchChildren(target, wanted) {
  const known = new Map([...target.childNodes].map((child) => [keyOf(child), child]));
  let at = target.firstChild;
  for (const next of Array.from(wanted.childNodes)) {
    const key = keyOf(next);
    const match = key === undefined ? at : known.get(key);
    if (match === null || match === undefined || !isSame(match, next)) {
      target.insertBefore(next, at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else target.insertBefore(match, at);
    matchNode(match, next);
  }
  while (at !== null) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/**
 * @param {ChildNode} node
 * @param {ChildNode} wanted
 */
function matchNode(node, wanted) {
  if (!(node instanceof Element) || !(wanted instanceof Element)) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return;
  }
  for (const { name, value } of Array.from(wanted.attributes))
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  for (const { name } of Array.from(node.attributes))
    // Whether details are open is the reader's choice.
    if (!wanted.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  matchChildren(node, wanted);
}

/**
 * @param {Node} one
 * @param {Node} other
 */
function isSame(one, other) {
  return one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof HTMLElement ? node.dataset.key : undefined;
}
