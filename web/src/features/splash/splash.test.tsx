import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Splash } from './splash.tsx'

afterEach(() => vi.useRealTimers())

function advance(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

beforeEach(() => localStorage.clear())

it('2.9a, 9.20 shows the name, a spinner and its text for 2000 ms', () => {
  vi.useFakeTimers()
  const { container } = render(<Splash />)
  expect(screen.getByRole('status').textContent).toBe('EarshotLoading your music experience...')
  expect(container.querySelector('.animate-spin')).not.toBeNull()
  advance(1_999)
  expect(screen.queryByRole('status')).not.toBeNull()
  advance(1)
  expect(screen.queryByRole('status')).toBeNull()
})

it('2.9a shows once per browser', () => {
  render(<Splash />).unmount()
  render(<Splash />)
  expect(screen.queryByRole('status')).toBeNull()
})

it('2.9a counts the 2000 ms from when the splash of the document was painted', () => {
  vi.useFakeTimers()
  const painted = { startTime: performance.now() } as PerformanceEntry
  const entries = vi.spyOn(performance, 'getEntriesByName').mockReturnValue([painted])
  advance(1_500)
  render(<Splash />)
  advance(499)
  expect(screen.queryByRole('status')).not.toBeNull()
  advance(1)
  expect(screen.queryByRole('status')).toBeNull()
  entries.mockRestore()
})

const web = join(import.meta.dirname, '..', '..', '..')
const read = (path: string) => readFileSync(join(web, path), 'utf8')

/** The tokens that a rule of a style sheet sets. */
function tokensOf(css: string, selector: string): Map<string, string> {
  const [, body = ''] = css.split(`${selector} {`)
  const [rule = ''] = body.split('}')
  return new Map(
    [...rule.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

it.each([
  ['dark', 'html', '.scheme-dark'],
  ['light', 'html.scheme-light', '.scheme-light'],
])('17.108a the splash of the document has the colours of the page: %s', (_mode, own, theme) => {
  const tokens = tokensOf(read('public/splash.css'), own)
  const themeTokens = tokensOf(read('src/styles/colours.css'), `\n${theme}`)
  expect(tokens.size).toBe(2)
  for (const [name, value] of tokens) expect([name, value]).toEqual([name, themeTokens.get(name)])
})
