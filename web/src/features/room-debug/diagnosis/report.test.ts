import { diagnose } from '@earshot/core/diagnosis/diagnose'
import { makeDevice, makeDiagnosisFacts } from '@earshot/core/testing/diagnosis-facts'
import { expect, it } from 'vitest'
import { redact, writeReport } from './report.ts'

const context = { roomId: 'kitchen', userAgent: 'Mozilla/5.0 Chrome/140', takenAtMs: 1_795_000_000_000 }
const report = (facts = makeDiagnosisFacts()) => writeReport(facts, diagnose(facts), context)

it('17.430 the report says that the browser does not state the output latency', () => {
  const text = report(makeDiagnosisFacts({ sound: { device: makeDevice({}, null) } }))
  expect(text).toContain('[Notice] Your browser does not state the delay of your sound. ')
  expect(text).toContain('Output latency: Unknown\n')
})

it('2.37d the report contains room, browser, findings and facts', () => {
  expect(report()).toBe(
    [
      'Earshot diagnosis, 2026-11-18T11:06:40.000Z',
      'Room: kitchen',
      '',
      'Everything looks good',
      '',
      'Server: https://music.example',
      'Server check: Healthy, answered in 12 ms',
      'Server version: 0.1.0',
      'Room connection: Connected, WebSocket',
      'Latency: 9.0 ms (8.0 ms to 12 ms)',
      'Probes: 10 of 10 answered',
      'Clock offset: -37 ms, at most 4.0 ms off',
      'Clock drift: 3.0 ppm',
      'Clock of this device: 40 ms ahead of the server',
      'Sync error: half below 0.3 ms, 95% below 1.2 ms',
      'Waiting for data: once in 2 minutes',
      'Sound: Allowed',
      'Player: Decoded and scheduled',
      'Output: running, 48000 Hz',
      'Output latency: 20 ms',
      'Format of the track: opus',
      'Formats: opus, mp3, aac, flac, pcm',
      'Session: Signed in',
      'Cookies: On',
      'Page: Up to date',
      'Served: Over HTTPS or localhost',
      'Browser: Mozilla/5.0 Chrome/140',
    ].join('\n'),
  )
})

it('2.37c the report lists the findings with their remedies', () => {
  const lines = report(
    makeDiagnosisFacts({ sound: { isBlocked: true }, connection: { transport: 'polling' } }),
  ).split('\n')
  expect(lines[3]).toMatch(/^\[Problem\] The browser blocks the sound\. Press Tap to listen/)
  expect(lines[4]).toMatch(/^\[Notice\] Long polling instead of WebSocket\. /)
})

it('2.37c the report describes missing facts', () => {
  const facts = makeDiagnosisFacts({
    connection: {
      status: 'disabled',
      server: null,
      transport: null,
      health: { state: 'unreachable', latencyMs: null, version: null },
    },
    clock: { isUsable: false, uncertaintyMs: Infinity, probesSent: 0, roundTripsMs: [], deviceAheadMs: null },
    sound: { device: null, track: null, isSecure: false, hasDecoder: false },
    page: { isCurrent: null },
  })
  const text = report(facts)
  expect(text).toContain('Server: None\nServer check: No answer\nRoom connection: Disabled\n')
  expect(text).toContain('Clock offset: Not measured yet\n')
  expect(text).toContain('Served: Over plain HTTP')
  expect(text).not.toMatch(/Infinity|NaN|null|undefined|Latency:|Page:/)
})

it('2.37d the report contains no secret from any of its facts', () => {
  const server = 'https://ada:hunter2@music.example/?token=t0ps3cret&email=ada@example.com'
  const error = `Refused ${server} with cookie: earshot.session=abc123 for user_id=42 ada@example.com`
  const facts = makeDiagnosisFacts({
    connection: { server },
    sound: { device: makeDevice({ status: 'error', error }) },
  })
  const text = writeReport(facts, diagnose(facts), { ...context, userAgent: `Browser of ada@example.com` })
  expect(text).toContain('Server: https://music.example\n')
  expect(text).not.toMatch(/hunter2|t0ps3cret|abc123|\bada\b|@|token/)
})

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
])('2.37d removes private data from %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})

it('2.37d leaves other text unchanged', () => {
  const harmless = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  expect(redact(harmless)).toBe(harmless)
  expect(redact('What to do? Reload the page, and check the token bucket')).toBe(
    'What to do? Reload the page, and check the token bucket',
  )
})
