import type {} from '../../web/src/players/testing/player-page.ts'
import { expect, playTrack, premiumUser, startsOf, test } from './streaming-page.ts'

/** The contract of `web/src/players/player.ts`, kept by the streaming player against a double of Spotify. */

test('10.24 loads in silence: null before, then ready at the position, which stands still', async ({
  players,
  track,
}) => {
  const seen = await players.evaluate(async (which) => {
    const { player, events, spotifyTrack, wait } = openPlayer('streaming')
    const before = player.sample()
    await player.load(spotifyTrack(...which), 20_000)
    const loaded = player.sample()
    await wait(1_500)
    return { before, loaded, later: player.sample(), events }
  }, track)
  expect(seen.before).toBeNull()
  expect(seen.loaded).toMatchObject({ status: 'ready', positionMs: 20_000 })
  expect(seen.later?.positionMs).toBe(20_000)
  expect(seen.events).toEqual([
    { type: 'status', status: 'loading' },
    { type: 'status', status: 'ready' },
  ])
})

test('10.24 plays from a position and advances in real time; the start needs no call of the Web API', async ({
  players,
  stage,
  track,
}) => {
  const { offsetMs, advancedMs, status } = await players.evaluate(async (which) => {
    const { player, spotifyTrack, wait, wallNow } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    const atMs = wallNow()
    await player.play(30_000, atMs)
    await wait(3_000)
    const first = player.sample()
    await wait(2_000)
    const second = player.sample()
    const at = (sample: typeof first) => (sample ? sample.positionMs - sample.atClientMs : NaN)
    return {
      offsetMs: at(first) - (30_000 - atMs),
      advancedMs: at(second) - at(first),
      status: second?.status,
    }
  }, track)
  expect(status).toBe('playing')
  expect(Math.abs(offsetMs)).toBeLessThan(150)
  expect(Math.abs(advancedMs)).toBeLessThan(60)
  expect(startsOf(stage)).toHaveLength(1)
})

test('10.24 seeks while it plays', async ({ players, track }) => {
  const offsetMs = await players.evaluate(async (which) => {
    const { player, spotifyTrack, wait, wallNow } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    await player.play(0, wallNow())
    await wait(2_000)
    const atMs = wallNow()
    await player.play(60_000, atMs)
    await wait(3_000)
    const sample = player.sample()
    return sample?.status === 'playing' ? sample.positionMs - 60_000 - (sample.atClientMs - atMs) : NaN
  }, track)
  expect(Math.abs(offsetMs)).toBeLessThan(150)
})

test('10.24 pauses at a position and stays there', async ({ players, track }) => {
  const { paused, later } = await players.evaluate(async (which) => {
    const { player, spotifyTrack, wait, wallNow } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    await player.play(0, wallNow())
    await wait(2_000)
    await player.pause(3_000)
    const paused = player.sample()
    await wait(1_500)
    return { paused, later: player.sample() }
  }, track)
  expect(paused).toMatchObject({ status: 'paused', positionMs: 3_000 })
  expect(later).toMatchObject({ status: 'paused', positionMs: 3_000 })
})

test('10.24 ends at the end of the track', async ({ players, track: [id, durationMs] }) => {
  const { hasEnded, sample } = await players.evaluate(
    async ([trackId, duration]) => {
      const { player, events, spotifyTrack, wait, wallNow } = openPlayer('streaming')
      await player.load(spotifyTrack(trackId, duration), 0)
      await player.play(duration - 4_000, wallNow())
      for (
        let turn = 0;
        turn < 100 && !events.some((event) => 'status' in event && event.status === 'ended');
        turn++
      ) {
        await wait(100)
      }
      return {
        hasEnded: events.some((event) => 'status' in event && event.status === 'ended'),
        sample: player.sample(),
      }
    },
    [id, durationMs] as const,
  )
  expect(hasEnded).toBe(true)
  expect(sample).toMatchObject({ status: 'ended', positionMs: durationMs })
})

test('10.24 is silent for good after it is disposed: the device and its frame are gone', async ({
  players,
  track,
}) => {
  const { frames, sample, late } = await players.evaluate(async (which) => {
    const { player, events, spotifyTrack, wait, wallNow } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    await player.play(0, wallNow())
    await wait(1_000)
    player.dispose()
    const count = events.length
    await wait(1_500)
    return {
      frames: document.querySelectorAll('iframe').length,
      sample: player.sample(),
      late: events.slice(count),
    }
  }, track)
  expect({ frames, sample, late }).toEqual({ frames: 0, sample: null, late: [] })
})

test('15.24 a late join sounds within 5 s, from an empty page', async ({ players, track }) => {
  const tookMs = await players.evaluate(async (which) => {
    const { player, spotifyTrack, wait, wallNow } = openPlayer('streaming')
    const openedAtMs = wallNow()
    await player.load(spotifyTrack(...which), 0)
    await player.play(60_000 + wallNow() - openedAtMs, wallNow())
    while (player.sample()?.status !== 'playing' && wallNow() - openedAtMs < 10_000) await wait(20)
    return wallNow() - openedAtMs
  }, track)
  expect(tookMs).toBeLessThan(5_000)
})

test('15.26 another device takes over: the player says so once, stays silent, and plays here when asked', async ({
  players,
  stage: { spotify },
  track,
}) => {
  const opened = await playTrack(players, track)
  const phone = spotify.control.addPhone(premiumUser)
  await fetch(`${spotify.apiUrl}/v1/me/player/play?device_id=${phone}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${spotify.control.issueAccessToken(premiumUser)}` },
    body: JSON.stringify({ uris: [`spotify:track:${track[0]}`] }),
  })
  const seen = await opened.evaluate(async ({ player, events, wait, wallNow }) => {
    await wait(2_000)
    const takeOvers = events.filter(({ type }) => type === 'taken_over').length
    const before = player.sample()?.status
    await player.play(9_000, wallNow())
    await wait(3_000)
    return { takeOvers, before, after: player.sample()?.status }
  })
  expect(seen).toEqual({ takeOvers: 1, before: 'paused', after: 'playing' })
})

test('10.24 reports that the browser blocks its sound, and plays after it was unlocked', async ({
  players,
  stage: { spotify },
  track,
}) => {
  spotify.control.configureSdk({ blocksAutoplay: true })
  const { kinds, status } = await players.evaluate(async (which) => {
    const { player, events, spotifyTrack, wait, wallNow } = openPlayer('streaming')
    await player.load(spotifyTrack(...which), 0)
    await player.unlock()
    await player.play(5_000, wallNow())
    await wait(4_000)
    return { kinds: events.map(({ type }) => type), status: player.sample()?.status }
  }, track)
  expect(kinds.filter((kind) => kind.endsWith('blocked'))).toEqual(['blocked', 'unblocked'])
  expect(status).toBe('playing')
})
