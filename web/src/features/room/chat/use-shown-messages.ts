import type { Message } from '@earshot/core/protocol/entities'
import { useState } from 'react'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** Messages drawn at first, and more at a time further up. */
const stepCount = 60
/** Drawn at most while the viewer follows the end. */
const mostAtEnd = 3 * stepCount

interface ShownMessages {
  shown: readonly Message[]
  older: 'none' | 'waiting' | 'loading' | 'failed'
  /** Shows older messages, from the server where needed. Does nothing while they load or after a failure. */
  showOlder: () => void
  /** Tries again after a failure. */
  retryOlder: () => void
  /** Call when the viewer leaves the end of the list or returns to it. */
  onEnd: (isAtEnd: boolean) => void
}

/** Limits the messages that are drawn to the latest ones, and those that the viewer scrolled up to. */
export function useShownMessages(): ShownMessages {
  const messages = useRoomState((state) => state.messages)
  const hasOlder = useRoomState((state) => state.hasOlderMessages)
  const { loadOlderMessages } = useRoomActions()
  // The id from which on messages are shown: null for the latest ones, '' for all.
  const [firstId, setFirstId] = useState<string | null>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [loading, setLoading] = useState<'waiting' | 'loading' | 'failed'>('waiting')

  const latest = Math.max(0, messages.length - stepCount)
  const from = firstId === null ? latest : messages.findIndex(({ id }) => id >= firstId)
  const first = Math.max(0, from, isAtEnd ? messages.length - mostAtEnd : 0)

  const load = () => {
    setLoading('loading')
    loadOlderMessages().then(
      () => setLoading('waiting'),
      () => setLoading('failed'),
    )
  }
  return {
    shown: first === 0 ? messages : messages.slice(first),
    older: first > 0 ? 'waiting' : hasOlder ? loading : 'none',
    showOlder() {
      if (first > 0) setFirstId(messages[first - stepCount]?.id ?? '')
      else if (hasOlder && loading === 'waiting') {
        setFirstId('')
        load()
      }
    },
    retryOlder: load,
    onEnd(isNowAtEnd) {
      setAtEnd(isNowAtEnd)
      setFirstId(isNowAtEnd ? null : (messages[first]?.id ?? ''))
    },
  }
}
