import type { Member } from '@earshot/core/protocol/entities'
import { Crown, SlidersHorizontal } from 'lucide-react'
import { people } from '../../../texts/people.ts'
import { members as texts } from '../../../texts/room.ts'
import { GuestLabel } from '../guest-label.tsx'
import { useRoomState } from '../use-room.ts'

/** Marks the owner, who has the controls meanwhile, and guests. */
export function MemberRole({ member }: { member: Member }) {
  const isController = useRoomState((state) => state.room?.controller?.id === member.id)
  return (
    <>
      {member.is_owner && (
        <>
          <Crown aria-hidden className="size-3.5 shrink-0 text-brand-text" />
          <span className="sr-only">{texts.owner}</span>
        </>
      )}
      {isController && (
        <>
          <SlidersHorizontal aria-hidden className="size-3.5 shrink-0 text-brand-text" />
          <span className="sr-only">{people.hasControls}</span>
        </>
      )}
      {member.is_guest && <GuestLabel />}
    </>
  )
}
