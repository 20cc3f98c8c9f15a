import { limits } from '@earshot/core/limits'
import { Send } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { chat as texts } from '../../texts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { notify } from '../../ui/notify.ts'
import { useRoomActions } from './use-room.ts'

/** Sends a message; a blank one is not sent (5.4). What could not be sent stays to be sent again. */
export function ChatForm() {
  const { sendMessage } = useRoomActions()
  const [content, setContent] = useState('')
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
    <form onSubmit={(event) => void submit(event)} className="relative mt-4">
      <input
        aria-label={texts.inputLabel}
        placeholder={texts.placeholder}
        autoComplete="off"
        enterKeyHint="send"
        maxLength={limits.messageMaxLength}
        value={content}
        onChange={(event) => setContent(event.target.value)}
        className="h-11 w-full rounded-full bg-page pr-12 pl-4.5 text-sm ring-1 ring-edge transition-shadow outline-none ring-inset placeholder:text-ink-muted focus-visible:ring-2 focus-visible:ring-brand-text"
      />
      <IconButton
        size="sm"
        type="submit"
        label={texts.send}
        title={texts.send}
        isDisabled={content.trim() === ''}
        className="absolute top-1 right-1"
      >
        <Send aria-hidden />
      </IconButton>
    </form>
  )
}
