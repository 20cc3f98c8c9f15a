import { MessageCircle } from 'lucide-react'
import { chat as texts } from '../../../texts.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ChatForm } from './chat-form.tsx'
import { MessageItem } from './messages.tsx'
import { groupMessages } from './message-groups.ts'
import { useChatScroll } from './use-chat-scroll.ts'
import { useRoomState } from '../use-room.ts'

// On a phone the chat fills what the bars and the form leave of the screen.
const heights = 'h-80 max-md:h-[max(15rem,calc(100dvh-24.5rem))]'

/** What the members say to each other (2.27). */
export function Chat() {
  const messages = useRoomState((state) => state.messages)
  const { list, onScroll, hasUnseen, showLatest, isLoadingOlder } = useChatScroll()
  return (
    <Card title={texts.title}>
      <div className="relative">
        {messages.length === 0 ? (
          <EmptyState icon={MessageCircle} title={texts.empty} text={texts.emptyText} className={heights} />
        ) : (
          <div
            ref={list}
            role="log"
            aria-label={texts.messages}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            tabIndex={0}
            onScroll={onScroll}
            className={`-mx-2 scroll-list rounded-md px-2 ${heights}`}
          >
            {isLoadingOlder && (
              <output className="block py-2 text-center text-xs text-ink-muted">{texts.loadingOlder}</output>
            )}
            <ol className="flex min-h-full flex-col justify-end pb-1">
              {groupMessages(messages).map((drawn) => (
                <MessageItem key={drawn.message.id} drawn={drawn} />
              ))}
            </ol>
          </div>
        )}
        {hasUnseen && (
          <button
            type="button"
            onClick={showLatest}
            className="absolute bottom-2 left-1/2 h-8 -translate-x-1/2 rounded-full bg-brand px-4 text-xs font-medium text-on-brand shadow-lift"
          >
            {texts.newMessages}
          </button>
        )}
      </div>
      <ChatForm />
    </Card>
  )
}
