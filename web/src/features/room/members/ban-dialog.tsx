import type { Member } from '@earshot/core/protocol/entities'
import { useState } from 'react'
import { removal as texts } from '../../../texts/moderation.ts'
import { Confirmation, useModeration } from '../moderation.tsx'

/** Asks before a member is banned, and whether what they left goes too. `member`: null while it is closed. */
export function BanDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const { ban } = useModeration()
  const [removesContent, setRemovesContent] = useState(false)
  const close = () => {
    setRemovesContent(false)
    onClose()
  }
  return (
    <Confirmation
      isOpen={member !== null}
      title={texts.banTitle(member?.username ?? '')}
      text={member?.is_guest ? texts.banGuestText : texts.banText}
      confirm={texts.confirmBan}
      onClose={close}
      onConfirm={async () => {
        if (member) await ban(member.id, removesContent)
      }}
    >
      <label className="mt-3 flex min-h-11 cursor-pointer items-center gap-3 text-sm text-pretty">
        <input
          type="checkbox"
          checked={removesContent}
          onChange={(event) => setRemovesContent(event.target.checked)}
          className="size-5 shrink-0 accent-brand"
        />
        {texts.removeContent}
      </label>
    </Confirmation>
  )
}
