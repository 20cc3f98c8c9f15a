import type { Source } from '@earshot/core/protocol/entities'
import { HeadphoneOff, Headphones, Hourglass, RotateCw } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { readSession } from '../../../api/session.tsx'
import { soundHere } from '../../../engine/state/room-state.ts'
import { common } from '../../../texts/common.ts'
import { locale } from '../../../texts/language.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { useRoomActions, useRoomVisit, useRoomState } from '../use-room.ts'
import { StageNotice } from './stage-notice.tsx'
import type {
  SubstituteNotice as SubstituteType,
  UnplayableNotice as UnplayableType,
} from './unplayable-notice.tsx'

const load = () => import('./unplayable-notice.tsx')
const UnplayableNotice = onDemand<ComponentProps<typeof UnplayableType>>(
  async () => (await load()).UnplayableNotice,
)
const SubstituteNotice = onDemand<ComponentProps<typeof SubstituteType>>(
  async () => (await load()).SubstituteNotice,
)

/** Stops this page's own sound and starts it again, without touching the room. */
export function PauseHereButton() {
  const { pauseHere, playHere } = useRoomActions()
  const isOn = useRoomState((state) => soundHere(state) === 'on')
  const label = isOn ? nowPlaying.pauseHere : nowPlaying.playHere
  return (
    <HintedButton size="sm" tone="plain" label={label} onClick={isOn ? pauseHere : playHere}>
      {isOn ? <Headphones aria-hidden /> : <HeadphoneOff aria-hidden />}
    </HintedButton>
  )
}

/** As `SoundNotice`; also tells when the room moves on. */
export function SoundNotices() {
  useUnavailableNotices()
  return <SoundNotice />
}

/** Explains why a playing room is silent on this page, with the way out. */
export function SoundNotice() {
  const track = useRoomState((state) => state.track)
  const heard = useRoomState((state) => state.heardTrack)
  const sound = useRoomState(soundHere)
  const hasReason = useRoomState((state) => heard !== null && heard.id in state.ownUnplayable)
  const isUnplayable = useRoomState((state) => state.sync.cause === 'unplayable')
  if (!track || !heard) return null
  if (sound !== 'on') return <SilentHereNotice because={sound} />
  if (isUnplayable || hasReason) return <UnplayableNotice track={track} />
  return (
    <>
      <PlayerNotice source={heard.source} />
      {heard !== track && <SubstituteNotice track={track} heard={heard} />}
    </>
  )
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

/** Says why the player is silent. */
function PlayerNotice({ source }: { source: Source }) {
  const isMissing = useRoomState((state) => state.isPlayerMissing)
  const hasFailed = useRoomState((state) => state.hasSoundFailed || state.isSoundRefused)
  if (isMissing) return <MissingPlayerNotice />
  // The video says itself what is wrong with it.
  if (hasFailed) return source !== 'youtube' && <SoundFailedNotice source={source} />
  return source === 'library' && <SlowSoundNotice />
}

/** The player is asked for again, in vain where the browser keeps a failed import or the server has another version. */
function MissingPlayerNotice() {
  return (
    <StageNotice icon={<RotateCw aria-hidden />} title={nowPlaying.soundFailed} text={common.unloadedText}>
      <Button size="sm" tone="primary" onClick={() => window.location.reload()}>
        {common.reload}
      </Button>
    </StageNotice>
  )
}

function SoundFailedNotice({ source }: { source: 'library' | 'spotify' }) {
  const retryAtMs = useRoomState((state) => state.soundRetryAtMs)
  // It may be refused for a session that has ended, which nothing else tells the page.
  useEffect(() => void readSession(), [])
  return (
    <StageNotice
      icon={<RotateCw aria-hidden />}
      title={nowPlaying.soundFailed}
      text={
        retryAtMs === null
          ? nowPlaying.soundFailedText[source]
          : nowPlaying.soundRefusedText(timeOfDay(retryAtMs))
      }
    />
  )
}

const slowAfterMs = 15_000

/** Explains a long wait for sound: requests that the server answers late, or not at all, are no failure of the player. */
function SlowSoundNotice() {
  const isBuffering = useRoomState((state) => state.sync.cause === 'buffering')
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isBuffering) return
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBuffering])
  return (
    isSlow && (
      <StageNotice
        icon={<Hourglass aria-hidden />}
        title={nowPlaying.slowSound}
        text={nowPlaying.slowSoundText}
      />
    )
  )
}

/** Not that of `format-time`, which would come with the room's first code. */
const timeOfDay = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Shows a notice when the room moved on because its track is gone, or nobody can play it. */
function useUnavailableNotices(): void {
  const { roomId, connection } = useRoomVisit()
  useEffect(
    () =>
      connection.on('track_unavailable', (skipped) => {
        if (skipped.roomId !== roomId) return
        const title = nowPlaying.unavailable(skipped)
        notify({ kind: 'info', title, topic: 'track_unavailable' })
      }),
    [roomId, connection],
  )
}
