import { limits } from '@earshot/core/limits'
import { reactionKinds, type ReactionKind } from '@earshot/core/protocol/wire-constants'
import { useEffect, useEffectEvent, useRef } from 'react'
import { listenToReactions } from '../../../engine/chat/reactions.ts'
import { reactions as texts } from '../../../texts/room.ts'
import { notify } from '../../../ui/notices/notify.ts'
import { useRoomActions, useRoomVisit } from '../use-room.ts'

export interface CountedReaction {
  kind: ReactionKind
  count: number
}

/** Calls back with the room's reactions at the moment they belong to. Ignores kinds that this page does not know. */
export function useReactions(onReactions: (counted: CountedReaction[]) => void): void {
  const visit = useRoomVisit()
  const show = useEffectEvent(onReactions)
  useEffect(
    () =>
      listenToReactions(visit, (items) => {
        const known = items.flatMap(({ kind: name, count }) => {
          const kind = reactionKinds.find((each) => each === name)
          return kind === undefined ? [] : [{ kind, count }]
        })
        if (known.length > 0) show(known)
      }),
    [visit],
  )
}

/** Returns a function that sends a reaction. It sends no more than the server takes; a failure shows a notice. */
export function useReact(): (kind: ReactionKind) => void {
  const { react } = useRoomActions()
  const sentAtMs = useRef<number[]>([])
  return (kind) => {
    const { points, perMs } = limits.rates.reaction
    const nowMs = performance.now()
    sentAtMs.current = sentAtMs.current.filter((atMs) => nowMs - atMs < perMs)
    if (sentAtMs.current.length >= points) return
    sentAtMs.current.push(nowMs)
    react(kind).catch(() => notify({ kind: 'error', title: texts.failedTitle, text: texts.failedText }))
  }
}

/** Returns the actions of the keys 1 to 6, for the room's shortcuts. */
export function useReactionKeys(): Record<string, () => void> {
  const react = useReact()
  return Object.fromEntries(reactionKinds.map((kind, index) => [`${index + 1}`, () => react(kind)]))
}
