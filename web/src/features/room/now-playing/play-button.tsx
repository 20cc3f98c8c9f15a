import { Pause, Play } from 'lucide-react'
import { nowPlaying } from '../../../texts.ts'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** The one thing to press. */
export function PlayButton({ size }: { size: 'md' | 'lg' }) {
  const { play, pause } = useRoomActions()
  const run = useRoomCommand()
  const isPlaying = useRoomState((state) => state.timeline.isPlaying)
  const hasTrack = useRoomState((state) => state.track !== null)
  const isOwner = useRoomState((state) => state.isOwner)
  const ownerName = useRoomState((state) => state.room?.owner.username ?? '')
  const Icon = isPlaying ? Pause : Play
  return (
    <HintedButton
      tone="primary"
      size={size}
      label={isPlaying ? nowPlaying.pause : nowPlaying.play}
      hint={isOwner ? undefined : nowPlaying.ownerControls(ownerName)}
      isDisabled={!isOwner || !hasTrack}
      onClick={() => run(isPlaying ? pause : play)}
    >
      <Icon aria-hidden fill="currentColor" className={isPlaying ? '' : 'translate-x-[6%]'} />
    </HintedButton>
  )
}
