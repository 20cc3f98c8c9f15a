import { AppError } from '@earshot/core/protocol/errors'
import type { Message } from '@earshot/core/protocol/entities'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { callApiTwice } from '../../api/call-api.ts'
import { describeError } from '../../api/describe-error.ts'
import { removal as texts } from '../../texts/moderation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { notify } from '../../ui/notify.ts'
import { useRoomRuntime, useRoomState } from './use-room.ts'

/** Returns the calls by which the owner removes people, and authors their messages. They reject with an AppError. */
export function useModeration() {
  const { roomId } = useRoomRuntime()
  const to = (userId: string) => ({ params: { roomId, userId } })
  return {
    kick: async (userId: string) => {
      await callApiTwice('POST /api/rooms/:roomId/members/:userId/kick', to(userId))
    },
    ban: async (userId: string) => {
      await callApiTwice('POST /api/rooms/:roomId/bans/:userId', to(userId))
    },
    lift: async (userId: string) => {
      await callApiTwice('DELETE /api/rooms/:roomId/bans/:userId', to(userId))
    },
    deleteMessage: async (messageId: string) => {
      await callApiTwice('DELETE /api/rooms/:roomId/messages/:messageId', { params: { roomId, messageId } })
    },
  }
}

/** Says why something failed. */
export function notifyFailure(error: unknown): void {
  notify({ kind: 'error', title: texts.failedTitle, text: describeError(error) })
}

interface ConfirmationProps {
  isOpen: boolean
  title: string
  text: string
  confirm: string
  onClose: () => void
  /** The dialog closes when it resolves, and stays open when it rejects. */
  onConfirm: () => Promise<void>
}

/** Asks before something that cannot be undone. */
export function Confirmation({ isOpen, title, text, confirm, onClose, onConfirm }: ConfirmationProps) {
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <p className="text-sm text-pretty wrap-anywhere text-ink-muted">{text}</p>
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button tone="primary" isBusy={isBusy} onClick={() => void run()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}

/** Whether the viewer may delete a message: as its author, or the owner of the room. */
export const useMayDelete = (message: Message): boolean =>
  useRoomState((state) => state.isOwner || state.userId === message.user_id)

/** The button that deletes a message, for who may. */
export function DeleteMessage({ message, className }: { message: Message; className?: string }) {
  const { deleteMessage } = useModeration()
  const mayDelete = useMayDelete(message)
  const [isOpen, setOpen] = useState(false)
  if (!mayDelete) return null
  return (
    <>
      <IconButton size="sm" label={texts.deleteMessage} className={className} onClick={() => setOpen(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirmation
        isOpen={isOpen}
        title={texts.deleteTitle}
        text={texts.deleteText}
        confirm={texts.confirmDelete}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          try {
            await deleteMessage(message.id)
          } catch (error) {
            // Somebody else was faster.
            if (!(error instanceof AppError) || error.code !== 'not_found') throw error
          }
        }}
      />
    </>
  )
}
