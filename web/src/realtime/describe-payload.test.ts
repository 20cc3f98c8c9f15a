import { describe, expect, it } from 'vitest'
import { describePayload, printPayload } from './describe-payload.ts'

describe('describePayload', () => {
  it('2.37b masks passwords and other secrets, at any depth', () => {
    expect(describePayload({ roomId: 'room', password: 'open sesame' })).toBe(
      '{"roomId":"room","password":"••••••"}',
    )
    const nested = { user: { access_token: 'abc', clientSecret: { a: 1 } }, list: [{ Authorization: 'b' }] }
    expect(describePayload(nested)).not.toMatch(/abc|"a"|"b"/)
  })

  it('shows that a secret was left out', () => {
    expect(describePayload({ password: null })).toBe('{"password":null}')
    expect(describePayload({ password: '' })).toBe('{"password":""}')
    expect(describePayload({ password: undefined })).toBe('{}')
  })

  it('shortens long texts, long lists and the whole', () => {
    expect(describePayload({ text: 'x'.repeat(81) })).toBe(`{"text":"${'x'.repeat(79)}…"}`)
    expect(describePayload([1, 2, 3])).toBe('[1,2,3]')
    expect(describePayload([1, 2, 3, 4, 5])).toBe('[1,2,3,"… 2 more"]')
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name${index}`, index]))
    expect(describePayload(wide)).toHaveLength(240)
    expect(describePayload(wide, 50)).toHaveLength(50)
  })

  it('is empty where nothing was sent along', () => {
    expect(describePayload(undefined)).toBe('')
  })
})

it('printPayload does the same over several lines', () => {
  expect(printPayload({ test: 1, password: 'x' })).toBe('{\n  "test": 1,\n  "password": "••••••"\n}')
})
