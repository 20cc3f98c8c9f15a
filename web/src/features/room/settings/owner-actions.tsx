import type { Room } from '@earshot/core/protocol/entities'
import { codeOf, hasCode } from '@earshot/core/protocol/errors'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { callApi } from '../../../api/call-api.ts'
import { closedRoom } from '../../../engine/closed-room.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { AlertBox } from '../../../ui/notices/alert-box.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { scrollBehaviour } from '../../../ui/page/media-query.ts'
import { Select } from '../../../ui/controls/select.tsx'
import { useRoomState } from '../use-room.ts'

/** Hands the room over or deletes it, each after a confirmation in place. */
export function OwnerActions({ room }: { room: Room }) {
  return (
    <div className="mt-8 flex flex-col gap-4 border-t border-line pt-6">
      <Confirmed label={texts.handOver} text={texts.handOverText}>
        <HandOver room={room} />
      </Confirmed>
      <Confirmed label={texts.delete} text={texts.deleteText}>
        <Delete room={room} />
      </Confirmed>
    </div>
  )
}

/** Shows what an action means, and its button, once it was chosen: then they are in sight and have the focus (17.109). */
function Confirmed({ label, text, children }: { label: string; text: string; children: ReactNode }) {
  const onToggle = ({ currentTarget: details }: SyntheticEvent<HTMLDetailsElement>) => {
    if (!details.open) return
    details.querySelector<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
    details.scrollIntoView({ block: 'nearest', behavior: scrollBehaviour() })
  }
  return (
    <details onToggle={onToggle} className="group scroll-my-6 rounded-md ring-1 ring-line ring-inset">
      <summary className="flex h-11 cursor-pointer items-center justify-between gap-3 px-4 text-sm font-medium">
        {label}
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-muted group-open:rotate-180" />
      </summary>
      <div tabIndex={-1} className="flex flex-col gap-4 rounded-md px-4 pb-4 outline-none">
        <p className="text-sm text-ink-muted">{text}</p>
        {children}
      </div>
    </details>
  )
}

function HandOver({ room }: { room: Room }) {
  const id = useId()
  const members = useRoomState((state) => state.members)
  const candidates = members.filter((member) => member.id !== room.owner_id && member.is_guest !== true)
  const [chosenId, choose] = useState<string | null>(null)
  // Somebody who was chosen may have left.
  const chosen = candidates.find((member) => member.id === chosenId) ?? candidates[0]
  const { mutate, isPending, error } = useMutation({
    mutationFn: (userId: string) =>
      callApi('POST /api/rooms/:roomId/owner', { params: { roomId: room.id }, body: { userId } }),
  })
  if (!chosen) return <p className="text-sm">{texts.handOverNobody}</p>
  const isFull = hasCode(error, 'too_many_rooms')
  return (
    <>
      <div>
        <label htmlFor={id} className="mb-2 block text-sm font-medium">
          {texts.handOverTo}
        </label>
        <Select id={id} value={chosen.id} onChange={(event) => choose(event.target.value)}>
          {candidates.map((member) => (
            <option key={member.id} value={member.id}>
              {member.username}
            </option>
          ))}
        </Select>
      </div>
      <CallFailure
        title={texts.handOverFailed}
        error={error}
        reason={isFull ? texts.handOverTooMany : undefined}
      />
      <Action
        isBusy={isPending}
        onClick={() => mutate(chosen.id)}
        label={texts.handOverConfirm(chosen.username)}
      />
    </>
  )
}

function Delete({ room }: { room: Room }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callApi('DELETE /api/rooms/:roomId', { params: { roomId: room.id } }),
    // The server says so as well, where the connection stands.
    onSuccess: () => closedRoom.setState({ roomId: room.id, name: room.name }, true),
  })
  return (
    <>
      <CallFailure title={texts.deleteFailed} error={error} />
      <Action isBusy={isPending} onClick={() => mutate()} label={texts.deleteConfirm(room.name)} />
    </>
  )
}

interface ActionProps {
  label: string
  isBusy: boolean
  onClick: () => void
}

/** A button whose label holds a name of any length, and in some languages ends with the verb. */
function Action({ label, isBusy, onClick }: ActionProps) {
  return (
    <Button isWide isBusy={isBusy} onClick={onClick} className="h-auto min-h-11 py-2.5">
      <span dir="auto" className="min-w-0 text-balance wrap-anywhere whitespace-normal">
        {label}
      </span>
    </Button>
  )
}

interface CallFailureProps {
  title: string
  error: Error | null
  /** In place of what the error means elsewhere. */
  reason?: string | undefined
}

/** Says that a call failed, and why. */
export function CallFailure({ title, error, reason }: CallFailureProps) {
  if (!error) return null
  return (
    <AlertBox kind="error">
      <p className="font-medium">{title}</p>
      <p>{reason ?? errorTexts[codeOf(error)]}</p>
    </AlertBox>
  )
}
