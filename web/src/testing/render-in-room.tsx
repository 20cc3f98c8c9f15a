import type { QueueEntry, Room } from '@earshot/core/protocol/entities'
import { fromPlaybackState } from '@earshot/core/sync/timeline'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { createQueryClient } from '../api/queries.ts'
import { SessionProvider } from '../api/session.tsx'
import { leaveRoom, currentVisit } from '../engine/current-visit.ts'
import { initialRoomState, update, type RoomState } from '../engine/state/room-state.ts'
import { saveRecoveryCopy } from '../engine/state/recovery-copy.ts'
import { RoomProvider } from '../features/room/use-room.ts'
import { answerAuth } from './contract-network.ts'
import { keepSession, sessionStore } from './kept-session.ts'
import { makeRoom, makeSession } from './samples.ts'
import { wallNow } from '../wall-clock.ts'

interface RoomOptions {
  room?: Partial<Room>
  queue?: QueueEntry[]
  isGuest?: boolean
}

/** Renders a part of the room page for the user `u1`, who has joined the room `r1` and owns it unless `room` differs. */
export async function renderInRoom(
  part: ReactNode,
  { room: roomPart, queue = [], isGuest = false }: RoomOptions = {},
) {
  const { session, user } = makeSession()
  answerAuth({
    'GET /api/auth/get-session': () => Response.json({ session, user: { ...user, isAnonymous: isGuest } }),
  })
  keepSession()
  await sessionStore?.get().refetch()
  const room = makeRoom(roomPart)
  const timeline = fromPlaybackState(room.playback_state)
  const nudgesMs = { library: 0, youtube: 0, spotify: 0 }
  leaveRoom()
  const state: RoomState = {
    ...initialRoomState('u1', { volume: 1, isMuted: false, nudgesMs }),
    phase: 'joined',
    room,
    confirmed: { timeline, track: room.currentTrack, queue, queueVersion: 1, queueTotal: null },
  }
  saveRecoveryCopy(room.id, state, wallNow())
  const view = render(
    <MemoryRouter initialEntries={[`/room/${room.id}`]}>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <RoomProvider roomId={room.id}>{part}</RoomProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
  return {
    ...view,
    /** Changes the room's state, as a message of the server would. */
    change: (next: Partial<RoomState>) => {
      const visit = currentVisit.getState()
      if (visit) update(visit.store, (before) => ({ ...before, ...next }))
    },
  }
}
