import { limits } from '@earshot/core/limits'
import { countCharacters, isVisible } from '@earshot/core/protocol/text'
import { Send } from 'lucide-react'
import { useEffect, useId, useState, type SyntheticEvent, type KeyboardEvent } from 'react'
import { useSession } from '../../../api/session.tsx'
import { msUntil } from '../../../engine/chat/outbox.ts'
import { readStoredJson, type StorageKey, writeStoredJson } from '../../../storage.ts'
import { chat as texts } from '../../../texts/chat.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useMediaQuery } from '../../../ui/page/media-query.ts'
import { useDraft } from '../use-draft.tsx'
import { useRoomActions, useRoomVisit, useRoomState } from '../use-room.ts'

/** From so many characters before the limit on, the rest is counted. */
const countFrom = 100

/**
 * The field for a message. A blank one is not sent (5.4), and what cannot be sent yet stays in the field.
 */
export function Composer({ onSent }: { onSent: () => void }) {
  const { sendMessage } = useRoomActions()
  const [content, setContent] = useMessageDraft()
  const [isOutboxFull, setOutboxFull] = useState(false)
  const waitSeconds = useFloodWait()
  const noticeId = useId()
  const message = content.trim()
  const left = limits.messageMaxLength - countCharacters(message)
  const canSend = isVisible(message) && left >= 0 && waitSeconds === 0

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!canSend) return
    const isTaken = sendMessage(message)
    setOutboxFull(!isTaken)
    if (!isTaken) return
    setContent('')
    onSent()
  }
  return (
    <form onSubmit={submit} className="mt-3 shrink-0">
      <div className="relative rounded-xl bg-page ring-1 ring-edge transition-shadow ring-inset focus-within:ring-2 focus-within:ring-brand-text">
        <MessageField value={content} noticeId={noticeId} onChange={setContent} onEnter={submit} />
        <IconButton
          type="submit"
          label={texts.send}
          title={texts.send}
          isDisabled={!canSend}
          // The field keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          className="absolute end-0 bottom-0"
        >
          <Send aria-hidden />
        </IconButton>
      </div>
      <output
        id={noticeId}
        className={`block min-h-4.5 pt-1 text-xs ${left < 0 || waitSeconds > 0 || isOutboxFull ? 'text-caution' : 'text-ink-muted'}`}
      >
        {describe(left, waitSeconds, isOutboxFull)}
      </output>
    </form>
  )
}

interface MessageFieldProps {
  value: string
  noticeId: string
  onChange: (value: string) => void
  onEnter: (event: KeyboardEvent) => void
}

/**
 * Grows with its text, up to five lines: a hidden copy gives it its height. Enter sends, Shift and Enter begin a line; on
 * touch screens Enter does, whose keyboards have no such Shift. Larger there, where browsers zoom in on small text.
 */
function MessageField({ value, noticeId, onChange, onEnter }: MessageFieldProps) {
  const isTouch = useMediaQuery('(pointer: coarse)')
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey } = event
    const beginsLine = shiftKey || (isTouch && !ctrlKey && !metaKey)
    if (key === 'Enter' && !beginsLine && !isComposing(event)) onEnter(event)
  }
  return (
    <div className="grid min-h-11 text-sm *:col-start-1 *:row-start-1 *:max-h-[calc(5lh+1.375rem)] *:py-[0.6875rem] *:ps-4.5 *:pe-13 pointer-coarse:text-base">
      <div aria-hidden className="invisible overflow-hidden wrap-anywhere whitespace-pre-wrap">
        {`${value} `}
      </div>
      <textarea
        rows={1}
        aria-label={texts.inputLabel}
        aria-describedby={noticeId}
        placeholder={texts.placeholder}
        autoComplete="off"
        enterKeyHint={isTouch ? 'enter' : 'send'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        // The text has a direction of its own, and the field that of the page: its padding is where the button is.
        // Firefox lays an empty field out from the left with it, and scrolls the placeholder out of sight.
        className="resize-none [scrollbar-width:thin] overflow-y-auto bg-transparent wrap-anywhere outline-none not-placeholder-shown:[unicode-bidi:plaintext] placeholder:text-ink-muted"
      />
    </div>
  )
}

function describe(left: number, waitSeconds: number, isOutboxFull: boolean): string {
  if (waitSeconds > 0) return texts.tooFast(waitSeconds)
  if (left < 0) return texts.tooLong(-left)
  if (isOutboxFull) return texts.outboxFull
  return left <= countFrom ? texts.charactersLeft(left) : ''
}

/** Whether the key chooses a word of an input method; of Safari only the old key code says so. */
const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229

/** Returns for how many seconds the server takes no more messages of the viewer; counts down to 0. */
function useFloodWait(): number {
  const untilMs = useRoomState((state) => state.chatPausedUntilMs)
  const [, setTick] = useState(0)
  const leftMs = untilMs === null ? 0 : msUntil(untilMs)
  useEffect(() => {
    if (leftMs === 0) return
    const timer = setTimeout(() => setTick((tick) => tick + 1), leftMs % 1_000 || 1_000)
    return () => clearTimeout(timer)
  })
  return Math.ceil(leftMs / 1_000)
}

/** Like `useDraft` for the message, which also survives a reload of the tab, and a guest who becomes an account. */
function useMessageDraft(): ReturnType<typeof useDraft> {
  const { roomId, userId } = useRoomVisit()
  const [draft, setDraft] = useDraft('message')
  const isGuest = useSession().status === 'guest'
  const guestKey: StorageKey = `draft:v1:guest:${roomId}`
  const key: StorageKey = isGuest ? guestKey : `draft:v1:${userId}:${roomId}`
  useEffect(() => {
    const kept = readStoredJson<string>('tab', key) ?? readStoredJson<string>('tab', guestKey)
    if (typeof kept !== 'string') return
    setDraft((typed) => (typed === '' ? kept : typed))
    writeStoredJson('tab', guestKey, null)
    writeStoredJson('tab', key, kept)
  }, [key, guestKey, setDraft])
  return [
    draft,
    (next) =>
      setDraft((before) => {
        const after = typeof next === 'string' ? next : next(before)
        writeStoredJson('tab', key, after === '' ? null : after)
        return after
      }),
  ]
}
