import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readBadges, type BadgeReading } from './badge.ts'
import { judgeSession, type Person, type SessionWindow } from '@earshot/e2e/sound/skew/session-windows'
import { openRecording } from '@earshot/e2e/sound/skew/sounds'
import type { Participant, TestRoom } from './test-room.ts'

/** Somebody who opened the room in mid-track: silence until their first sound is no fault. */
export interface Arrival {
  person: Person
  /** When the page before was left, and when the room was opened. */
  leftMs: number
  openedMs: number
}

/** A session, judged from its first moment to its last. Times are ms from the start of the recording. */
export interface Session {
  people: number
  windows: SessionWindow[]
  badges: BadgeReading[]
  arrivals: Arrival[]
}

/** What the script of a session can do besides pressing buttons. */
export interface RunningSession extends TestRoom {
  /** Opens the room anew: `awayMs` on an empty page, or at once, as a reload does. */
  reopen(participant: Participant, awayMs?: number): Promise<void>
}

/**
 * Records all browsers and reads their badges while `script` runs, then judges the recording. Compares nothing while it
 * runs, so that the measurement does not compete with the browsers.
 */
export async function recordSession<Room extends TestRoom>(
  testRoom: Room,
  script: (session: Room & RunningSession) => Promise<unknown>,
): Promise<Session> {
  const participants = [testRoom.owner, ...testRoom.listeners]
  const path = join(tmpdir(), `earshot-session-${randomUUID()}`)
  const recording = await testRoom.sound.recordTo(path)
  const nowMs = () => performance.now() - recording.startedAtMs
  const arrivals: Arrival[] = []
  const badges = readBadges(
    participants.map(({ page }) => page),
    nowMs,
  )
  try {
    await script({
      ...testRoom,
      reopen: async (participant, awayMs = 0) => {
        const leftMs = nowMs()
        if (awayMs > 0) await participant.page.goto('about:blank')
        await delay(awayMs)
        arrivals.push({ person: participants.indexOf(participant), leftMs, openedMs: nowMs() })
        await participant.page.goto(participant.roomUrl)
      },
    })
    const readings = await badges.stop()
    await recording.stop()
    const sounds = openRecording(path, participants.length)
    const windows = [...judgeSession(sounds)]
    sounds.close()
    return { people: participants.length, windows, badges: readings, arrivals }
  } finally {
    await badges.stop()
    await recording.stop()
    rmSync(path, { force: true })
  }
}
