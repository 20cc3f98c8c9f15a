import { expect, it } from 'vitest'
import { parseSync, Visitor } from 'vite'

const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../**/testing/**', '!./**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)
/** An address is the same in every language. */
const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text) && !/^\/\S*$/.test(text)

/** Attributes and parameters that a person sees or hears. */
const visibleNames = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'hint',
  'label',
  'legend',
  'placeholder',
  'text',
  'title',
])

interface Node {
  type: string
  value?: unknown
  expression?: Node
  quasis?: { value: { raw: string } }[]
}

/** The words of a literal or a template, an empty text for other expressions. */
function wordsOf(node: Node | null | undefined): string {
  if (!node) return ''
  if (node.type === 'JSXExpressionContainer') return wordsOf(node.expression)
  if (node.type === 'TemplateLiteral') return (node.quasis ?? []).map(({ value }) => value.raw).join(' ')
  return (node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string'
    ? node.value
    : ''
}

/** Lists the visible texts that stand in code. */
function listVisibleText(path: string, code: string): string[] {
  const found: string[] = []
  const check = (node: Node | null | undefined) => {
    const words = wordsOf(node).trim()
    if (hasWord(words)) found.push(words)
  }
  const checkChildren = ({ children }: { children: readonly unknown[] }) => {
    for (const child of children) check(child as Node)
  }
  new Visitor({
    JSXElement: checkChildren,
    JSXFragment: checkChildren,
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && visibleNames.has(name.name)) check(value as Node)
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && visibleNames.has(key.name)) check(value as Node)
    },
  }).visit(parseSync(path, code).program)
  return found
}

it('17.83 no visible text of the page stands outside the texts', () => {
  const files = Object.entries(sources)
  expect(files.filter(([path]) => path.endsWith('.tsx')).length).toBeGreaterThan(100)
  expect(files.filter(([path]) => path.endsWith('.ts')).length).toBeGreaterThan(100)
  const found = files.flatMap(([path, code]) => listVisibleText(path, code).map((text) => `${path}: ${text}`))
  expect(found).toEqual([])
})

it.each([
  ['<p>Hello there</p>', 'Hello there'],
  ['<p>{`Hello ${name}`}</p>', 'Hello'],
  ["<>{'Hello'}</>", 'Hello'],
  ['<Button label="Open" />', 'Open'],
  ["notify({ title: 'Saved' })", 'Saved'],
])('17.83 a visible text in code is found: %s', (code, text) => {
  expect(listVisibleText('a.tsx', code)).toEqual([text])
})

it('17.83 names, classes, signs and addresses are no visible text', () => {
  expect(
    listVisibleText(
      'a.tsx',
      '<p className="text-sm">{`${a} · ${b}`} · {texts.hello} {link({ text: "/callback" })}</p>',
    ),
  ).toEqual([])
})
