import { afterAll, beforeAll, expect, it } from 'vitest'
import { renderTrackWav } from '../track-sound.ts'
import type { LoadedVideo } from './player/behaviour.ts'
import { toMediaRate, toReportedRate } from './player/rates.ts'
import { toPrefixedId } from './prefixed-ids.ts'
import { startYoutubeDouble, type YoutubeDouble } from './youtube-double.ts'

let double: YoutubeDouble

beforeAll(async () => {
  double = await startYoutubeDouble()
})
afterAll(() => double.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, double.playerUrl), { headers })

async function errorOf(videoId: string): Promise<number | null> {
  const video = (await (await get(`/watch-data/${videoId}`)).json()) as LoadedVideo
  return video.behaviour.error
}

it('serves scripts that name the origin of the frame and hold no TypeScript', async () => {
  const loader = await get('/iframe_api')
  const { origin } = new URL(double.playerUrl)
  expect(loader.headers.get('content-type')).toContain('text/javascript')
  expect(await loader.text()).toContain(`${origin}/s/player/widget-api.js`)
  for (const file of ['widget-api.js', 'embed-page.ts', 'embed-player.ts', 'widget-port.ts', 'rates.ts']) {
    const script = await get(`/s/player/${file}`)
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect(await script.text()).not.toMatch(/^import type|^interface /m)
  }
  expect((await get('/s/player/..%2Fplayer-server.ts')).status).toBe(404)
})

it('notes in the frame whether the page sent a referrer', async () => {
  const path = '/embed/harbour0001?enablejsapi=1'
  expect(await (await get(path)).text()).toContain('data-referer="missing"')
  expect(await (await get(path, { referer: 'http://localhost/' })).text()).toContain('data-referer="sent"')
})

it('finds the errors of videos that are missing, private, blocked or not for frames', async () => {
  expect(await errorOf('harbour0001')).toBeNull()
  expect(await errorOf('unknown_001')).toBe(100)
  expect(await errorOf('private_001')).toBe(100)
  expect(await errorOf('no_embed_01')).toBe(150)
  expect(await errorOf('age_limit_1')).toBe(150)
  expect(await errorOf('bad')).toBe(2)
  expect([await errorOf('blocked_de1'), await errorOf('allowed_us1')]).toEqual([null, null])
  double.control.setCountry('DE')
  expect([await errorOf('blocked_de1'), await errorOf('allowed_us1')]).toEqual([150, 150])
  double.control.setCountry('US')
})

it('changes behaviours in the process and over HTTP, the most specific last', async () => {
  double.control.setBehaviour('*', { error: 5 })
  expect(await errorOf('harbour0001')).toBe(5)
  const url = new URL('/control/behaviour/harbour0001', double.playerUrl)
  await fetch(url, { method: 'PUT', body: JSON.stringify({ error: 101 }) })
  expect(await errorOf('harbour0001')).toBe(101)
  await fetch(url, { method: 'DELETE' })
  double.control.setBehaviour('*', null)
  expect(await errorOf('harbour0001')).toBeNull()
})

it('serves the sound of a video in ranges', async () => {
  const id = toPrefixedId('SHORT_')
  const wav = renderTrackWav(`youtube:${id}`, 8_000)
  const answer = await get(`/sound/${id}.wav`, { range: 'bytes=1000-1999' })
  expect(answer.status).toBe(206)
  expect(answer.headers.get('content-range')).toBe(`bytes 1000-1999/${wav.length}`)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(wav.subarray(1_000, 2_000))
  expect((await get(`/sound/${id}.wav`, { range: 'bytes=99999999-' })).status).toBe(416)
  expect((await get('/sound/unknown_001.wav')).status).toBe(404)
})

it('rounds rates toward 1', () => {
  const rates = [0.1, 0.8, 0.97, 1, 1.05, 1.15, 1.17, 1.24, 1.25, 3]
  expect(rates.map((rate) => toReportedRate(rate, 'fine'))).toEqual([
    0.25, 0.8, 1, 1, 1.05, 1.15, 1.15, 1.2, 1.25, 2,
  ])
  expect(rates.map((rate) => toReportedRate(rate, 'coarse'))).toEqual([0.25, 1, 1, 1, 1, 1, 1, 1, 1.25, 2])
  expect(toReportedRate(1.05, 'read_back_only')).toBe(1.05)
  expect(toMediaRate(1.05, 'read_back_only')).toBe(1)
})
