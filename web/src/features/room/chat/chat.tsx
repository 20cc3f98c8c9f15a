import { limits } from '@earshot/core/limits'
import { MessageCircle, Send } from 'lucide-react'
import type { FormEvent } from 'react'
import { chat as texts } from '../../../texts/chat.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LineField } from '../../../ui/line-field.tsx'
import { notify } from '../../../ui/notify.ts'
import { useDraft } from '../use-draft.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { groupMessages, MessageItem } from './messages.tsx'
import { useChatScroll } from './use-chat-scroll.ts'

// It fills the room's rail.
const heights = 'min-h-0 flex-1'

/** Shows the room's messages and the form to send one (2.27). */
export function Chat() {
  const messages = useRoomState((state) => state.messages)
  const { list, onScroll, hasUnseen, showLatest, isLoadingOlder } = useChatScroll()
  return (
    <Card title={texts.title}>
      <div className="relative flex min-h-10 flex-1 flex-col overflow-hidden">
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
            className={`scroll-list -mx-2 rounded-md px-2 ${heights}`}
          >
            {isLoadingOlder && (
              <output className="block py-2 text-center text-xs text-ink-muted">{texts.loadingOlder}</output>
            )}
            <ol className="flex min-h-full flex-col justify-end pb-1">
              {groupMessages(messages).map((grouped) => (
                <MessageItem key={grouped.message.id} grouped={grouped} />
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

/** Sends a message; ignores a blank one (5.4). After a failure the text returns to the field. */
function ChatForm() {
  const { sendMessage } = useRoomActions()
  const [content, setContent] = useDraft('message')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const said = content.trim()
    if (said === '') return
    setContent('')
    try {
      await sendMessage(said)
    } catch {
      setContent((typed) => (typed === '' ? said : typed))
      notify({ kind: 'error', title: texts.failedTitle, text: texts.failedText })
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-4">
      <LineField
        label={texts.inputLabel}
        placeholder={texts.placeholder}
        enterKeyHint="send"
        maxLength={limits.messageMaxLength}
        value={content}
        onChange={(event) => setContent(event.target.value)}
        submit={{ label: texts.send, icon: <Send aria-hidden />, isDisabled: content.trim() === '' }}
      />
    </form>
  )
}
