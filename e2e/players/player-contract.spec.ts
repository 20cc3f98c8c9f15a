import type { Page } from '@playwright/test'
import type {} from '../../web/src/players/testing/player-page.ts'
import { openBrowser } from '../support/browser.ts'
import { expect, test as base } from '../support/fixtures.ts'
import { noiseSeconds } from './player-page.ts'

/** The contract of `web/src/players/player.ts`, kept by the real players in a real browser. */

const test = base.extend<{ players: Page }>({
  players: async ({ page, playerSite }, provide) => {
    await page.goto(playerSite.url)
    await page.waitForFunction(() => 'openPlayer' in globalThis)
    await provide(page)
  },
})

/** How far a position may be off: an element starts late by its latency, which the follow algorithm corrects. */
const kinds = [
  { kind: 'library', startsWithinMs: 10, jumpsWithinMs: 10 },
  { kind: 'element', startsWithinMs: 400, jumpsWithinMs: 400 },
] as const

for (const { kind, startsWithinMs, jumpsWithinMs } of kinds) {
  test.describe(`the ${kind} player`, () => {
    // In one worker: each bundles the players and starts a browser.
    test.describe.configure({ mode: 'default' })
    // Of the element; unit tests have that it is blocked, and its gain.
    const variationTag = kind === 'element' ? '@long' : []

    test('10.24 loads: null before, then ready at the position, which stands still', async ({ players }) => {
      const seen = await players.evaluate(async (name) => {
        const { player, events, track, wait } = openPlayer(name)
        const before = player.sample()
        await player.load(track('noise'), 2_000)
        const loaded = player.sample()
        await wait(300)
        return { before, loaded, later: player.sample(), events }
      }, kind)
      expect(seen.before).toBeNull()
      expect(seen.loaded).toMatchObject({ status: 'ready' })
      expect(seen.loaded?.positionMs).toBeCloseTo(2_000, -1)
      expect(seen.later?.positionMs).toBe(seen.loaded?.positionMs)
      expect(seen.events).toEqual([
        { type: 'status', status: 'loading' },
        { type: 'status', status: 'ready' },
      ])
    })

    test('10.24 plays from a position at an instant, and advances in real time', async ({ players }) => {
      const measureStart = async (name: typeof kind) => {
        const { player, track, wait, wallNow } = openPlayer(name)
        await player.load(track('noise'), 0)
        const atMs = wallNow() + 500
        await player.play(1_000, atMs)
        await wait(1_200)
        const first = player.sample()
        await wait(600)
        const second = player.sample()
        player.dispose()
        const at = (sample: typeof first) => (sample ? sample.positionMs - sample.atClientMs : NaN)
        return {
          offsetMs: at(first) - (1_000 - atMs),
          advancedMs: at(second) - at(first),
          status: second?.status,
        }
      }
      // Measured again where a busy machine started late, or its sound dropped out.
      await expect(async () => {
        const { offsetMs, advancedMs, status } = await players.evaluate(measureStart, kind)
        expect(status).toBe('playing')
        // A player that cannot schedule starts at once.
        expect(Math.abs(kind === 'library' ? offsetMs : offsetMs - 500)).toBeLessThan(startsWithinMs)
        expect(Math.abs(advancedMs)).toBeLessThan(15)
      }).toPass()
    })

    test('10.24 seeks while it plays', async ({ players }) => {
      const measureSeek = async (name: typeof kind) => {
        const { player, track, wait, wallNow } = openPlayer(name)
        await player.load(track('noise'), 0)
        await player.play(0, wallNow())
        await wait(700)
        const atMs = wallNow() + 100
        await player.play(5_000, atMs)
        await wait(1_200)
        const sample = player.sample()
        player.dispose()
        return sample ? sample.positionMs - 5_000 - (sample.atClientMs - atMs) : NaN
      }
      // Measured again where a busy machine started late, or its sound dropped out.
      await expect(async () => {
        expect(Math.abs(await players.evaluate(measureSeek, kind))).toBeLessThan(jumpsWithinMs)
      }).toPass()
    })

    test('10.24 pauses at a position and stays there', async ({ players }) => {
      const { paused, later } = await players.evaluate(async (name) => {
        const { player, track, wait, wallNow } = openPlayer(name)
        await player.load(track('noise'), 0)
        await player.play(0, wallNow())
        await wait(600)
        await player.pause(3_000)
        await wait(300)
        const paused = player.sample()
        await wait(300)
        return { paused, later: player.sample() }
      }, kind)
      expect(paused).toMatchObject({ status: 'paused' })
      expect(paused?.positionMs).toBeCloseTo(3_000, -1)
      expect(later?.positionMs).toBe(paused?.positionMs)
    })

    test('10.24 changes its rate without a jump', { tag: variationTag }, async ({ players }) => {
      const measureGain = async (name: typeof kind) => {
        const { player, track, wait, wallNow } = openPlayer(name)
        await player.load(track('noise'), 0)
        await player.play(0, wallNow())
        await wait(1_000)
        const offset = () => {
          const sample = player.sample()
          return sample ? sample.positionMs - sample.atClientMs : NaN
        }
        const before = offset()
        player.setRate(1.01)
        await wait(1_000)
        player.setRate(1)
        await wait(1_000)
        const gainedMs = offset() - before
        player.dispose()
        return gainedMs
      }
      // A busy machine's sound drops out for some milliseconds, which looks like a jump: that is measured again.
      await expect(async () => {
        const gainedMs = await players.evaluate(measureGain, kind)
        expect(gainedMs).toBeGreaterThan(4)
        expect(gainedMs).toBeLessThan(20)
      }).toPass()
    })

    test('10.24 ends at the end of the track', async ({ players }) => {
      const { hasEnded, sample } = await players.evaluate(async (name) => {
        const { player, track, waitFor, wallNow } = openPlayer(name)
        await player.load(track('noise'), 7_500)
        await player.play(7_500, wallNow())
        const hasEnded = await waitFor((event) => event.type === 'status' && event.status === 'ended')
        return { hasEnded, sample: player.sample() }
      }, kind)
      expect(hasEnded).toBe(true)
      expect(sample).toMatchObject({ status: 'ended' })
      expect(Math.abs((sample?.positionMs ?? 0) - noiseSeconds * 1_000)).toBeLessThan(30)
    })

    test('10.24 reports the length of a track whose length was unknown', async ({ players }) => {
      const durations = await players.evaluate(async (name) => {
        const { player, events, track, waitFor } = openPlayer(name)
        await player.load(track('unknown'), 0)
        await waitFor((event) => event.type === 'duration')
        return events.flatMap((event) => (event.type === 'duration' ? [event.durationMs] : []))
      }, kind)
      expect(durations[0]).toBeCloseTo(noiseSeconds * 1_000, 0)
    })

    test('10.10a, 10.24 reports a file that it cannot read as one for another player, and loads the next', async ({
      players,
    }) => {
      const { isUnsupported, status } = await players.evaluate(async (name) => {
        const { player, track, waitFor } = openPlayer(name)
        const isReported = waitFor(({ type }) => type === 'unsupported')
        await player.load(track('text'), 0)
        const isUnsupported = await isReported
        await player.load(track('noise'), 0)
        return { isUnsupported, status: player.sample()?.status }
      }, kind)
      expect(isUnsupported).toBe(true)
      expect(status).toBe('ready')
    })

    test(
      '17.442, 17.486 plays each track by its gain, or that of its album',
      { tag: variationTag },
      async ({ players }) => {
        const measureLevels = async (name: typeof kind) => {
          const { player, track, wait, wallNow } = openPlayer(name)
          const measure = async (gainDb: number, album?: { album: string; album_gain_db: number }) => {
            const stated = { ...track('noise'), gain_db: gainDb, ...album }
            await player.load(stated, 0, album && { next: { ...stated, id: 'next' } })
            await player.play(0, wallNow())
            let level = 0
            // Each reading is smoothed with those before.
            for (let turn = 0; turn < 60; turn++) {
              await wait(25)
              if (turn >= 30) level += (player.levels?.()[2] ?? NaN) / 30
              else player.levels?.()
            }
            return level
          }
          const album = { album: 'Live', album_gain_db: -20 }
          const levels = [await measure(0), await measure(-10), await measure(-10, album)]
          player.dispose()
          return levels
        }
        await expect(async () => {
          const [plain = NaN, quiet = NaN, inAlbum = NaN] = await players.evaluate(measureLevels, kind)
          // A level of 1 is 70 dB above one of 0.
          for (const stepDb of [70 * (quiet - plain), 70 * (inAlbum - quiet)]) {
            expect(stepDb).toBeGreaterThan(-11.5)
            expect(stepDb).toBeLessThan(-8.5)
          }
        }).toPass()
      },
    )

    test('10.24 is silent for good after it is disposed', { tag: variationTag }, async ({ players }) => {
      const { sample, late } = await players.evaluate(async (name) => {
        const { player, events, track, wait, wallNow } = openPlayer(name)
        await player.load(track('noise'), 0)
        await player.play(0, wallNow())
        await wait(300)
        player.dispose()
        const count = events.length
        await wait(500)
        return { sample: player.sample(), late: events.slice(count) }
      }, kind)
      expect(sample).toBeNull()
      expect(late).toEqual([])
    })

    test(
      '10.24 reports that the browser blocks its sound, and plays after a click',
      { tag: variationTag },
      async ({ playerSite }) => {
        const browser = await openBrowser({ mayAutoplay: false })
        const { page } = browser
        const blocked = page.waitForEvent('console', (message) => message.text() === 'blocked')
        // Evaluating in a page counts as a click, so the page runs this itself.
        await page.addInitScript((name) => {
          addEventListener('load', () => {
            const { player, track, wallNow } = openPlayer(name)
            player.subscribe((event) => console.log(event.type === 'status' ? event.status : event.type))
            const play = () => void player.play(0, wallNow())
            document.querySelector('button')?.addEventListener('click', () => {
              void player.unlock()
              play()
            })
            void player.load(track('noise'), 0).then(play)
          })
        }, kind)
        await page.goto(playerSite.url)
        await blocked
        const playing = page.waitForEvent('console', (message) => message.text() === 'playing')
        await page.getByRole('button').click()
        await playing
        await browser.close()
      },
    )
  })
}

test('17.420 a track whose packets the browser refuses twice is reported as one for another player', async ({
  players,
}) => {
  const types = await players.evaluate(async () => {
    const { player, events, track } = openPlayer('library')
    await player.load(track('damaged'), 0)
    await player.load(track('damaged'), 0)
    await player.load(track('noise'), 0)
    return events.map((event) => (event.type === 'status' ? event.status : event.type))
  })
  expect(types).toEqual(['loading', 'error', 'error', 'loading', 'error', 'unsupported', 'loading', 'ready'])
})
