import { limits } from '@earshot/core/limits'
import { Send } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { chat as texts } from '../../../texts.ts'
import { LineField } from '../../../ui/line-field.tsx'
import { notify } from '../../../ui/notify.ts'
import { useRoomActions } from '../use-room.ts'

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
