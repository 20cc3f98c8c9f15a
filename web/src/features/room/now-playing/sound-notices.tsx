import { CircleSlash, HeadphoneOff, Headphones, SkipForward } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { soundHere } from '../../../engine/state/room-state.ts'
import { nowPlaying } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { notify } from '../../../ui/notify.ts'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomRuntime, useRoomState } from '../use-room.ts'

/** Stops this page's own sound and starts it again, without touching the room. */
export function PauseHereButton() {
  const { pauseHere, playHere } = useRoomActions()
  const isOn = useRoomState((state) => soundHere(state) === 'on')
  const label = isOn ? nowPlaying.pauseHere : nowPlaying.playHere
  return (
    <HintedButton
      size="sm"
      tone="plain"
      label={label}

      onClick={isOn ? pauseHere : playHere}
    >
      {isOn ? <Headphones aria-hidden /> : <HeadphoneOff aria-hidden />}
    </HintedButton>
  )
}

/** Explains why a playing room is silent on this page, with the way out. */
export function SoundNotices() {
  useUnavailableNotices()
  const hasTrack = useRoomState((state) => state.track !== null)
  const sound = useRoomState(soundHere)
  const isUnplayable = useRoomState((state) => state.sync.cause === 'unplayable')
  if (!hasTrack) return null
  if (sound !== 'on') return <SilentHereNotice because={sound} />
  return isUnplayable ? <UnplayableNotice /> : null
}

function SilentHereNotice({ because }: { because: keyof typeof nowPlaying.silentHere }) {
  const { playHere } = useRoomActions()
  return (
    <StageNotice
      icon={<HeadphoneOff aria-hidden />}
      title={nowPlaying.silentHere[because]}
      text={nowPlaying.silentHereText}
    >
      <Button size="sm" tone="primary" onClick={playHere}>
        {nowPlaying.playHere}
      </Button>
    </StageNotice>
  )
}

/** No player of this browser can play the track; the owner can skip it. */
function UnplayableNotice() {
  const { next } = useRoomActions()
  const run = useRoomCommand()
  const isOwner = useRoomState((state) => state.isOwner)
  return (
    <StageNotice
      icon={<CircleSlash aria-hidden />}
      title={nowPlaying.unplayable}
      text={nowPlaying.unplayableText}
    >
      {isOwner && (
        <Button size="sm" onClick={() => run(next)}>
          <SkipForward aria-hidden className="size-4" />
          {nowPlaying.skip}
        </Button>
      )}
    </StageNotice>
  )
}

interface StageNoticeProps {
  icon: ReactNode
  title: string
  text: string
  /** Its button. */
  children: ReactNode
}

function StageNotice({ icon, title, text, children }: StageNoticeProps) {
  return (
    <output className="mb-5 flex animate-appear items-center gap-3 rounded-xl bg-page/55 p-4">
      <span className="shrink-0 text-caution *:size-5">{icon}</span>
      <span className="min-w-0 flex-1 text-sm">
        <span className="block font-medium">{title}</span>
        <span className="block text-ink-muted">{text}</span>
      </span>
      {children}
    </output>
  )
}

/** Shows a notice when the room moved on because the file of its track is gone. */
function useUnavailableNotices(): void {
  const { roomId, connection } = useRoomRuntime()
  useEffect(
    () =>
      connection.on('track_unavailable', (skipped) => {
        if (skipped.roomId !== roomId) return
        const title = nowPlaying.unavailable(skipped.title, skipped.count)
        notify({ kind: 'info', title, topic: 'track_unavailable' })
      }),
    [roomId, connection],
  )
}
