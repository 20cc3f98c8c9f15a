import { Volume2 } from 'lucide-react'
import { nowPlaying } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** Covers the stage while the browser blocks sound: one tap is all that it takes. */
export function TapToListen() {
  const { unlockSound } = useRoomActions()
  const run = useRoomCommand()
  const isShown = useRoomState((state) => state.isSoundBlocked && state.track !== null)
  if (!isShown) return null
  return (
    <div className="absolute inset-0 z-10 grid animate-appear place-items-center bg-page/75 p-6 text-center backdrop-blur-md">
      <div>
        <Button tone="primary" size="lg" onClick={() => run(unlockSound)}>
          <Volume2 aria-hidden className="size-5" />
          {nowPlaying.tapToListen}
        </Button>
        <p className="mt-4 text-sm text-balance text-ink-muted">{nowPlaying.tapToListenText}</p>
      </div>
    </div>
  )
}
