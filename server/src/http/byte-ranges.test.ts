import { expect, it } from 'vitest'
import { checkPreconditions, isRangeCurrent } from './byte-ranges.ts'

const version = { etag: '"a"', modifiedMs: Date.parse('Sun, 22 Nov 2026 10:00:00 GMT') + 700 }
const [before, same, after] = [9, 10, 11].map((hour) => `Sun, 22 Nov 2026 ${hour}:00:00 GMT`)

it.each([
  [{}, 'send'],
  [{ 'if-none-match': '"a"' }, 'not_modified'],
  [{ 'if-none-match': 'W/"a"' }, 'not_modified'],
  [{ 'if-none-match': '"b", "a"' }, 'not_modified'],
  [{ 'if-none-match': '*' }, 'not_modified'],
  [{ 'if-none-match': '"b"', 'if-modified-since': after }, 'send'],
  [{ 'if-modified-since': same }, 'not_modified'],
  [{ 'if-modified-since': before }, 'send'],
  [{ 'if-modified-since': 'yesterday' }, 'send'],
  [{ 'if-match': '"a"' }, 'send'],
  [{ 'if-match': '*' }, 'send'],
  [{ 'if-match': 'W/"a"' }, 'failed'],
  [{ 'if-match': '"b"' }, 'failed'],
  [{ 'if-match': '"a"', 'if-unmodified-since': before }, 'send'],
  [{ 'if-unmodified-since': same }, 'send'],
  [{ 'if-unmodified-since': before }, 'failed'],
])('16.85 a request with %j is answered with: %s', (headers, outcome) => {
  expect(checkPreconditions(headers, version)).toBe(outcome)
})

it.each([
  [undefined, true],
  ['"a"', true],
  ['"b"', false],
  ['W/"a"', false],
  [same, true],
  [after, false],
  ['yesterday', false],
])('16.85 a range with If-Range %s is sent as a part: %s', (ifRange, isCurrent) => {
  expect(isRangeCurrent(ifRange, version)).toBe(isCurrent)
})

it('16.85 bytes without a time are judged by their tag alone', () => {
  const untimed = { etag: '"a"', modifiedMs: undefined }
  expect(checkPreconditions({ 'if-modified-since': after }, untimed)).toBe('send')
  expect(checkPreconditions({ 'if-unmodified-since': before }, untimed)).toBe('send')
  expect(isRangeCurrent(same, untimed)).toBe(false)
})
