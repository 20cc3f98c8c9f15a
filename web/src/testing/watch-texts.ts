/**
 * Finds what fails in a page that a browser translates (17.330). The translation replaces texts by elements, and React
 * would change, remove or insert before a text that is no longer there. The only text of an element is safe: React sets
 * it by the element.
 */

const flaws: string[] = []

/** React marks the texts that it changes by themselves. */
const isByItself = (node: Node | null): node is Text =>
  node instanceof Text && Object.keys(node).some((key) => key.startsWith('__reactFiber$'))

function note(text: Text, what: string): void {
  const around = text.parentElement
  flaws.push(`${what} “${text.data}” in <${around?.localName} class="${around?.className}">`)
}

/** Calls `check` with the arguments of each call of a method of nodes. */
function watchCalls(name: 'insertBefore' | 'removeChild', check: (...nodes: (Node | null)[]) => void): void {
  const original = Reflect.get(Node.prototype, name) as (...nodes: (Node | null)[]) => unknown
  Reflect.set(Node.prototype, name, function (this: Node, ...nodes: (Node | null)[]) {
    check(...nodes)
    return original.apply(this, nodes)
  })
}

/** Files of tests may share a document. */
const watched = new WeakSet<Node>()

/** Watches all texts from now on. */
export function watchTexts(): void {
  if (watched.has(Node.prototype)) return
  watched.add(Node.prototype)
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Node, value: string) {
      if (isByItself(this)) note(this, `“${value}” replaces`)
      nodeValue?.set?.call(this, value)
    },
  })
  watchCalls('insertBefore', (_added, next = null) => {
    if (isByItself(next)) note(next, 'An insertion before')
  })
  watchCalls('removeChild', (removed = null) => {
    if (isByItself(removed)) note(removed, 'The removal of')
  })
}

/** Returns what was found since the last call. */
export const takeTextFlaws = (): string[] => flaws.splice(0)
