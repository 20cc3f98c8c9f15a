import { ArrowDown, MessageCircle } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { chat as texts } from '../../../texts/chat.ts'
import { common } from '../../../texts/common.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { DeleteMessage } from '../moderation.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { listChatItems } from './chat-items.ts'
import { Composer } from './composer.tsx'
import { ChatListItem } from './message-item.tsx'
import { useChatScroll } from './use-chat-scroll.ts'
import { useShownMessages } from './use-shown-messages.ts'
import { useUnreadMessages } from './use-unread-messages.ts'

/** Shows the room's messages and the field to write one (2.27). Fills its parent's height and scrolls itself. */
export function Chat() {
  const panel = useRef<HTMLDivElement>(null)
  const insetPx = useKeyboardInset(panel)
  const outgoing = useRoomState((state) => state.outgoing)
  const viewerId = useRoomState((state) => state.userId)
  const { lines } = useRoomState((state) => state.activity)
  const { shown, older, showOlder, retryOlder, onEnd } = useShownMessages()
  const { markChatRead } = useRoomActions()
  const isWhole = older === 'none'
  const items = useMemo(
    () => listChatItems({ messages: shown, isWhole, lines, outgoing, viewerId }),
    [shown, isWhole, lines, outgoing, viewerId],
  )
  const { scroller, list, isAtEnd, onScroll, showLatest } = useChatScroll({
    items,
    onNearTop: showOlder,
    onSeen: markChatRead,
    onEnd,
  })
  const [toDelete, setToDelete] = useState<string | null>(null)
  const isEmpty = items.length === 0
  return (
    <Card title={texts.title} isTitleHidden className="h-full min-h-0">
      <div ref={panel} style={{ paddingBottom: insetPx }} className="flex min-h-0 flex-1 flex-col">
        <div className="relative flex min-h-0 flex-1 flex-col">
          {isEmpty && (
            <EmptyState
              icon={MessageCircle}
              title={texts.empty}
              text={texts.emptyText}
              className="absolute inset-0"
            />
          )}
          <div
            ref={scroller}
            role="log"
            aria-label={texts.messages}
            // Older messages are not news.
            aria-live={isAtEnd ? 'polite' : 'off'}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            tabIndex={isEmpty ? -1 : 0}
            onScroll={onScroll}
            className="scroll-list -mx-2 flex min-h-32 flex-1 flex-col rounded-md px-2 low:min-h-0"
          >
            <ol ref={list} className="mt-auto">
              {items.map((item) => (
                <ChatListItem key={item.key} item={item} onDelete={setToDelete} />
              ))}
            </ol>
          </div>
          <DeleteMessage messageId={toDelete} onClose={() => setToDelete(null)} />
          <OlderMessages state={older} onRetry={retryOlder} />
          {!isAtEnd && <LatestButton onClick={showLatest} />}
        </div>
        <Foot onSent={showLatest} />
      </div>
    </Card>
  )
}

/** The field for a message, or where the room lets no guest write, that it does not; the server decides. */
function Foot({ onSent }: { onSent: () => void }) {
  const isGuest = useSession().status === 'guest'
  const mayGuestsWrite = useRoomState((state) => state.room?.settings.guestsChat ?? true)
  if (mayGuestsWrite || !isGuest) return <Composer onSent={onSent} />
  return <p className="shrink-0 py-4 text-center text-sm text-ink-muted">{errorTexts.guests_cannot_chat}</p>
}

/** Lies over the list, so that nothing moves when it comes and goes. */
function OlderMessages({ state, onRetry }: { state: string; onRetry: () => void }) {
  if (state !== 'loading' && state !== 'failed') return null
  return (
    <div className="absolute top-1 left-1/2 flex w-max max-w-full -translate-x-1/2 flex-wrap items-center justify-center gap-x-1 rounded-full bg-raised px-4 py-1 text-xs text-ink-muted shadow-lift">
      {state === 'loading' ? (
        texts.loadingOlder
      ) : (
        <>
          <p role="alert">{texts.olderFailedText}</p>
          <Button size="sm" tone="quiet" onClick={onRetry}>
            {common.tryAgain}
          </Button>
        </>
      )}
    </div>
  )
}

/** Returns to the end, where the viewer is further up; says how many messages came meanwhile. */
function LatestButton({ onClick }: { onClick: () => void }) {
  const unread = useUnreadMessages()
  return (
    <Button
      tone={unread > 0 ? 'primary' : 'secondary'}
      onClick={onClick}
      className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-lift"
    >
      <ArrowDown aria-hidden className="size-4" />
      <span>{unread > 0 ? texts.newMessages(unread) : texts.latestMessages}</span>
    </Button>
  )
}

/**
 * Returns how many px of a panel the on-screen keyboard covers while something in the panel has the focus. Browsers move
 * the keyboard over the page without resizing it.
 */
function useKeyboardInset(panel: RefObject<HTMLElement | null>): number {
  const [insetPx, setInsetPx] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const measure = () => {
      const element = panel.current
      const isTyping = element?.contains(document.activeElement) ?? false
      const visibleBottom = viewport.offsetTop + viewport.height
      const coveredPx = element ? element.getBoundingClientRect().bottom - visibleBottom : 0
      setInsetPx(isTyping && viewport.scale === 1 ? Math.max(0, Math.round(coveredPx)) : 0)
    }
    const events = ['resize', 'scroll'] as const
    for (const name of events) viewport.addEventListener(name, measure)
    const element = panel.current
    element?.addEventListener('focusout', measure)
    return () => {
      for (const name of events) viewport.removeEventListener(name, measure)
      element?.removeEventListener('focusout', measure)
    }
  }, [panel])
  return insetPx
}
