import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { chat as texts } from '../../../texts/chat.ts'
import { notify } from '../../../ui/notify.ts'
import { scrollBehaviour } from '../../../ui/media-query.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

const nearPx = 48

/**
 * Manages the chat's scroll position: follows new messages at the end, reports them as unseen further up, and loads
 * older messages at the top without moving the visible ones.
 */
export function useChatScroll() {
  const messages = useRoomState((state) => state.messages)
  const hasOlder = useRoomState((state) => state.hasOlderMessages)
  const { loadOlderMessages } = useRoomActions()
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef<{ lastId: string | undefined; height: number }>({ lastId: undefined, height: 0 })
  const [hasUnseen, setUnseen] = useState(false)
  const [isLoadingOlder, setLoadingOlder] = useState(false)

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const lastId = messages.at(-1)?.id
    const isNewer = lastId !== before.current.lastId
    if (isAtEnd.current) element.scrollTop = element.scrollHeight
    else if (isNewer) setUnseen(true)
    else element.scrollTop += element.scrollHeight - before.current.height
    before.current = { lastId, height: element.scrollHeight }
  }, [messages])

  const onScroll = () => {
    const element = list.current
    if (!element) return
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx
    if (isAtEnd.current) setUnseen(false)
    if (element.scrollTop > nearPx || !hasOlder || isLoadingOlder) return
    setLoadingOlder(true)
    loadOlderMessages()
      .catch(() => notify({ kind: 'error', title: texts.failedTitle, text: texts.olderFailedText }))
      .finally(() => setLoadingOlder(false))
  }
  const showLatest = useCallback(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight, behavior: scrollBehaviour() })
  }, [])
  return { list, onScroll, hasUnseen, showLatest, isLoadingOlder }
}
