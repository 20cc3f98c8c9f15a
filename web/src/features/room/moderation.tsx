import { hasCode } from '@earshot/core/protocol/errors'
import type { Message } from '@earshot/core/protocol/entities'
import { type ReactNode, useState } from 'react'
import { callApiRetrying } from '../../api/call-api.ts'
import { describeError } from '../../api/describe-error.ts'
import { applyMessageDeleted } from '../../engine/chat/chat-history.ts'
import { update } from '../../engine/state/room-state.ts'
import { removal as texts } from '../../texts/moderation.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { useRoomVisit, useRoomState } from './use-room.ts'

/** Returns the calls by which the owner removes people, and authors their messages. They reject with an AppError. */
export function useModeration() {
  const { roomId, store } = useRoomVisit()
  const to = (userId: string) => ({ params: { roomId, userId } })
  return {
    kick: async (userId: string) => {
      await callApiRetrying('POST /api/rooms/:roomId/members/:userId/kick', to(userId))
    },
    ban: async (userId: string, removeContent: boolean) => {
      await callApiRetrying('POST /api/rooms/:roomId/bans/:userId', {
        ...to(userId),
        body: { removeContent },
      })
    },
    lift: async (userId: string) => {
      await callApiRetrying('DELETE /api/rooms/:roomId/bans/:userId', to(userId))
    },
    deleteMessage: async (messageId: string) => {
      try {
        await callApiRetrying('DELETE /api/rooms/:roomId/messages/:messageId', {
          params: { roomId, messageId },
        })
      } catch (error) {
        // Somebody else was faster.
        if (!hasCode(error, 'not_found')) throw error
      }
      update(store, (state) => applyMessageDeleted(state, messageId))
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
  /** Choices that belong to the question. */
  children?: ReactNode
  onClose: () => void
  /** The dialog closes when it resolves, and stays open when it rejects. */
  onConfirm: () => Promise<void>
}

/** Asks before something that cannot be undone. */
export function Confirmation(props: ConfirmationProps) {
  const { isOpen, title, text, confirm, children, onClose, onConfirm } = props
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
      {children}
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

/** Asks before a message is deleted. Not in the message, with which it would go. */
export function DeleteMessage({ messageId, onClose }: { messageId: string | null; onClose: () => void }) {
  const { deleteMessage } = useModeration()
  return (
    <Confirmation
      isOpen={messageId !== null}
      title={texts.deleteTitle}
      text={texts.deleteText}
      confirm={texts.confirmDelete}
      onClose={onClose}
      onConfirm={async () => {
        if (messageId !== null) await deleteMessage(messageId)
      }}
    />
  )
}
