import type { Track } from '@earshot/core/protocol/entities'
import type { TrackMatch } from '@earshot/core/protocol/providers'
import { useQuery } from '@tanstack/react-query'
import { CircleSlash, Replace, SkipForward } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { matchesQuery } from '../../../api/provider-queries.ts'
import { profileQuery } from '../../../api/queries.ts'
import { pickSubstitute } from '../../../engine/playability/playability.ts'
import { playability as texts } from '../../../texts/find-music.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { describeUnplayable, remedyLink, useUnplayableReason } from '../playability.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomVisit, useRoomState } from '../use-room.ts'
import { StageNotice } from './stage-notice.tsx'

/** Says why this listener cannot play the current track and what helps; members with the controls can skip it. */
export function UnplayableNotice({ track }: { track: Track }) {
  const { next } = useRoomActions()
  const run = useRoomCommand()
  const mayControl = useRoomState((state) => state.mayControl)
  const reason = useUnplayableReason(track.id) ?? 'format'
  const { title, text } = describeUnplayable(reason)
  return (
    <StageNotice icon={<CircleSlash aria-hidden />} title={title} text={text}>
      <MatchOffer track={track} />
      {remedyLink(reason, track)}
      {mayControl && (
        <Button size="sm" onClick={() => run(next)}>
          <SkipForward aria-hidden className="size-4" />
          {nowPlaying.skip}
        </Button>
      )}
    </StageNotice>
  )
}

/** Offers the same song from a source that this listener can play, where the profile asks for it (15.37). */
function MatchOffer({ track }: { track: Track }) {
  const { setSubstitute } = useRoomActions()
  const match = useSubstitute(track)
  if (!match) return null
  return (
    <Button size="sm" tone="primary" onClick={() => setSubstitute(track.id, match.track)}>
      {texts.playInstead(match.track.source, Math.round(100 * match.confidence))}
    </Button>
  )
}

function useSubstitute(track: Track): TrackMatch | null {
  const { player } = useRoomVisit()
  const { user } = useSession()
  const { data: profile } = useQuery({ ...profileQuery(user?.id ?? ''), enabled: user !== null })
  const isWanted = profile?.match_elsewhere === true
  const { data: matches } = useQuery({ ...matchesQuery(track.id), enabled: isWanted })
  if (!isWanted || !matches) return null
  return pickSubstitute(matches, (candidate) => player.unplayableReason(candidate) === null)
}

/** Says that this listener hears the song from another source, with the way back. */
export function SubstituteNotice({ track, heard }: { track: Track; heard: Track }) {
  const { setSubstitute } = useRoomActions()
  return (
    <StageNotice
      icon={<Replace aria-hidden />}
      title={texts.hearing(heard.source)}
      text={texts.hearingText(heard.title, heard.artist)}
    >
      <Button size="sm" onClick={() => setSubstitute(track.id, null)}>
        {texts.stopInstead}
      </Button>
    </StageNotice>
  )
}
