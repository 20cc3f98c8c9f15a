import { expect, it } from 'vitest'
import { redact } from './redact.ts'

it.each([
  ['https://ada:hunter2@music.example:8443/room/x?token=abc#key', 'https://music.example:8443/room/x'],
  ['wss://music.example/?sid=abcdef', 'wss://music.example'],
  ['http://', 'http://'],
  ['https://[', '[address]'],
  [
    'This browser cannot decode /api/tracks/t1/audio?key=abc',
    'This browser cannot decode /api/tracks/t1/audio',
  ],
  ['Hello ada.lovelace+music@example.co.uk!', 'Hello [e-mail]'],
  ['Cookie: earshot.session=s3cr3t; other=1', 'Cookie: [removed]'],
  ['authorization: Bearer abc.def', 'authorization: [removed]'],
  ['Bearer abcdefghijklmnop.qrstuv', 'Bearer: [removed]'],
  ['access_token=ya29.secret', 'access_token: [removed]'],
  ['{"password":"hunter2"}', '{"password: [removed]}'],
  ['user_id: 6f9619ff', 'user_id: [removed]'],
])('2.37d takes what is private out of %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})

it('2.37d leaves the rest alone', () => {
  const harmless = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  expect(redact(harmless)).toBe(harmless)
  expect(redact('What to do? Reload the page, and check the token bucket')).toBe(
    'What to do? Reload the page, and check the token bucket',
  )
})
