import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { roomIdSchema } from './ids.ts'
import {
  changePasswordSchema,
  createRoomSchema,
  joinRoomSchema,
  messageContentSchema,
  nameSchema,
  profileUpdateSchema,
  resetPasswordSchema,
  searchQuerySchema,
  signInSchema,
  signUpSchema,
} from './validation.ts'

const messagesOf = (schema: z.ZodType, input: unknown): string[] =>
  schema.safeParse(input).error?.issues.map(({ message }) => message) ?? []

describe('signing in and up', () => {
  it('5.1a requires both fields', () => {
    const required = 'Email and password are required'
    for (const schema of [signInSchema, signUpSchema]) {
      expect(messagesOf(schema, { email: '', password: 'secret1' })).toContain(required)
      expect(messagesOf(schema, { email: '   ', password: 'secret1' })).toContain(required)
      expect(messagesOf(schema, { email: 'a@b.example', password: '' })).toContain(required)
    }
    expect(signInSchema.parse({ email: ' a@b.example ', password: 'x' })).toEqual({
      email: 'a@b.example',
      password: 'x',
    })
  })

  it('5.1b requires a password of at least 6 characters to sign up', () => {
    const message = 'Password must be at least 6 characters'
    expect(messagesOf(signUpSchema, { email: 'a@b.example', password: '12345' })).toEqual([message])
    expect(messagesOf(signUpSchema, { email: 'a@b.example', password: '123456' })).toEqual([])
    expect(messagesOf(signInSchema, { email: 'a@b.example', password: '12345' })).toEqual([])
  })

  it('5.1b counts the code points of every new password', () => {
    const message = 'Password must be at least 6 characters'
    const signUp = { email: 'a@b.example', password: '😀😀😀' }
    expect(messagesOf(signUpSchema, signUp)).toEqual([message])
    expect(messagesOf(signUpSchema, { ...signUp, password: '😀😀😀😀😀😀' })).toEqual([])
    expect(messagesOf(resetPasswordSchema, { token: 't', newPassword: '😀😀😀' })).toEqual([message])
    const change = { currentPassword: 'x', newPassword: '😀😀😀' }
    expect(messagesOf(changePasswordSchema, change)).toEqual([message])
  })
})

describe('creating a room', () => {
  const room = (rest: object) => ({ name: 'Friday', ...rest })

  it('5.2b requires a name that is not blank, of at most 80 characters', () => {
    for (const name of ['', '   ', '\n\t']) {
      expect(messagesOf(createRoomSchema, { name })).toContain('Room name required')
    }
    expect(createRoomSchema.parse({ name: '  Friday  ' }).name).toBe('Friday')
    expect(messagesOf(createRoomSchema, { name: 'x'.repeat(81) })).toHaveLength(1)
    expect(createRoomSchema.safeParse({ name: ` ${'x'.repeat(80)} ` }).success).toBe(true)
  })

  it('5.2c requires a password that is not blank, of at most 128 characters, for a private room', () => {
    for (const password of [undefined, null, '', '   ']) {
      expect(messagesOf(createRoomSchema, room({ isPublic: false, password }))).toEqual(['Password required'])
    }
    expect(createRoomSchema.parse(room({ isPublic: false, password: 'x' })).password).toBe('x')
    const long = { isPublic: false, password: 'x'.repeat(129) }
    expect(createRoomSchema.safeParse(room(long)).success).toBe(false)
  })

  it('5.2d drops the password of a public room; one alone makes the room private', () => {
    expect(createRoomSchema.parse(room({ isPublic: true, password: 'x' })).password).toBeNull()
    for (const ofOlderClients of [{}, { is_public: false }])
      expect(createRoomSchema.parse(room({ ...ofOlderClients, password: 'x' }))).toMatchObject({
        isPublic: false,
        password: 'x',
      })
    for (const password of [undefined, null, '', '  '])
      expect(createRoomSchema.parse(room({ password }))).toMatchObject({ isPublic: true, password: null })
  })

  it('9.27, 3.12a defaults to public, and accepts one of the three sources', () => {
    expect(createRoomSchema.parse(room({}))).toMatchObject({ isPublic: true })
    expect(createRoomSchema.parse(room({ preferredSource: 'spotify' })).preferredSource).toBe('spotify')
    expect(createRoomSchema.safeParse(room({ preferredSource: 'radio' })).success).toBe(false)
  })

  it('limits the password of a join as well', () => {
    expect(joinRoomSchema.safeParse({ password: 'x'.repeat(129) }).success).toBe(false)
    expect(joinRoomSchema.safeParse({}).success).toBe(true)
    expect(roomIdSchema.safeParse('').success).toBe(false)
  })
})

describe('messages, searches and profiles', () => {
  it('5.4 a blank message is refused, any other is trimmed', () => {
    for (const content of ['', '  ', '\n \t']) {
      expect(messagesOf(messageContentSchema, content)).toContain('Empty message')
    }
    expect(messageContentSchema.parse('  hello ')).toBe('hello')
    expect(messageContentSchema.safeParse('x'.repeat(1_001)).success).toBe(false)
    expect(messageContentSchema.safeParse('x'.repeat(1_000)).success).toBe(true)
  })

  it.each(['\uFFF9', '\uFFFB', '\uFFFC', '\u0301', '\u0600', '\u{16FE4}', '\u{13441}', '\u{1D159}'])(
    '15.71 a name or message of a character that shows nothing is refused (%#)',
    (character) => {
      expect(profileUpdateSchema.safeParse({ username: character }).success).toBe(false)
      expect(messageContentSchema.safeParse(` ${character}\u200B`).success).toBe(false)
      expect(createRoomSchema.safeParse({ name: character }).success).toBe(false)
      expect(profileUpdateSchema.parse({ username: `e${character}` })).toBeTruthy()
    },
  )

  it('16.286 a name is one line without control characters, which terminals and logs would obey', () => {
    expect(nameSchema.parse('Ann\n\u001B[2K\u0000Lee\u009B')).toBe('Ann [2KLee')
    expect(nameSchema.parse('\tAnn\r\n\u2028Lee\u0085')).toBe('Ann Lee')
    expect(nameSchema.safeParse('\n\u001B').success).toBe(false)
  })

  it('16.1 a name or message of characters that are not shown is refused; a text with them is kept', () => {
    const invisible = [
      '\u200B',
      '\u202E',
      '\u3164',
      '\u00AD',
      '\u2800',
      '\uFEFF',
      '\u2060\u200D',
      '\u{E0041}',
    ]
    for (const text of invisible) {
      expect(messageContentSchema.safeParse(text).success).toBe(false)
      expect(createRoomSchema.safeParse({ name: ` ${text} ` }).success).toBe(false)
      expect(profileUpdateSchema.safeParse({ username: text }).success).toBe(false)
    }
    for (const text of ['a\u200Db', '👩‍👩‍👧', 'שלום', '...', '한', 'é']) {
      expect(messageContentSchema.parse(text)).toBe(text)
      expect(profileUpdateSchema.parse({ username: text })).toEqual({ username: text })
    }
    expect(profileUpdateSchema.parse({ username: 'e\u0301' })).toEqual({ username: 'é' })
  })

  it('5.5 a blank query is refused', () => {
    expect(searchQuerySchema.safeParse({ source: 'library', q: '   ' }).success).toBe(false)
    expect(searchQuerySchema.parse({ source: 'library', q: ' waves ', offset: '40' })).toEqual({
      source: 'library',
      q: 'waves',
      offset: 40,
      limit: 20,
    })
  })

  it('a query has at most 200 characters, and an offset of at most 10000', () => {
    const search = (q: string, offset: number) =>
      searchQuerySchema.safeParse({ source: 'library', q, offset }).success
    expect([search('x'.repeat(200), 10_000), search('x'.repeat(201), 0), search('x', 10_001)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('9.1a a search page has at most 20 results', () => {
    const search = (limit: unknown) =>
      searchQuerySchema.safeParse({ source: 'library', q: 'x', limit }).success
    expect([search(20), search('20'), search(21), search(0), search('many')]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('a profile update accepts only the fields that may change', () => {
    expect(profileUpdateSchema.parse({ username: ' Ada ' })).toEqual({ username: 'Ada' })
    expect(profileUpdateSchema.safeParse({ email: 'other@b.example' }).success).toBe(false)
    expect(profileUpdateSchema.safeParse({ username: '' }).success).toBe(false)
    for (const field of ['username', 'full_name']) {
      expect(profileUpdateSchema.safeParse({ [field]: 'x'.repeat(60) }).success).toBe(true)
      expect(profileUpdateSchema.safeParse({ [field]: 'x'.repeat(61) }).success).toBe(false)
    }
  })
})
