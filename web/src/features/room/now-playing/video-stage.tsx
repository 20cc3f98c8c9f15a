import { missingReferrerCode } from '@earshot/core/machines/video-errors'
import type { VideoProblem } from '@earshot/core/machines/video-player'
import { CircleAlert, RotateCw } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { useStore } from 'zustand'
import { common } from '../../../texts/common.ts'
import { videoPlayer } from '../../../texts/now-playing.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { Spinner } from '../../../ui/loading/spinner.tsx'
import { useRoomVisit, useRoomState } from '../use-room.ts'
import { useRootMark } from '../../../ui/page/root-mark.ts'

/** Shows the one video player while the current track is a video (2.22b). Its messages stand below it, never over it. */
export function VideoStage() {
  const isVideo = useRoomState((state) => state.heardTrack?.source === 'youtube')
  return isVideo ? <VideoPlace /> : null
}

/** At least 356 x 200 px, as wide as the screen on a phone. */
function VideoPlace() {
  const { videoSurface } = useRoomVisit()
  useRootMark('videoStage')
  const offerPlace = useCallback(
    (host: HTMLDivElement | null) => videoSurface.setState({ host }),
    [videoSurface],
  )
  return (
    <section aria-label={videoPlayer.region} className="max-sm:-mx-4">
      <div
        ref={offerPlace}
        className="mx-auto aspect-video w-full max-w-[calc(max(var(--cover),200.25px)*16/9)] min-w-[356px] overflow-hidden *:size-full sm:rounded-xl beside:max-w-[calc(max(var(--cover)-2.75rem,200.25px)*16/9)] low:rounded-none"
      />
      <VideoMessage />
    </section>
  )
}

function VideoMessage() {
  const { videoSurface } = useRoomVisit()
  const video = useStore(videoSurface, (state) => state.video)
  const retry = useStore(videoSurface, (state) => state.retry)
  const problem = video?.problem ?? null
  useErrorNotice(problem)
  if (problem === null && video?.phase === 'ready') return null
  const canRetry = problem !== null && problem.kind !== 'load_failed' && retry !== null
  return (
    <output className="mt-3 flex items-center gap-3 px-4 text-sm text-ink-muted sm:px-1">
      {problem ? <CircleAlert aria-hidden className="size-5 shrink-0" /> : <Spinner className="size-5" />}
      <span className="min-w-0 flex-1">{problem ? describe(problem) : videoPlayer.loading}</span>
      {canRetry && (
        <Button size="sm" onClick={retry}>
          <RotateCw aria-hidden className="size-4" />
          {common.tryAgain}
        </Button>
      )}
    </output>
  )
}

/** Shows a toast for each error of the player (8.6). */
function useErrorNotice(problem: VideoProblem | null): void {
  useEffect(() => {
    if (problem?.kind !== 'code') return
    const { errorTitle: title, errorText } = videoPlayer
    notify({ kind: 'error', title, text: errorText(problem.code), topic: 'video_error' })
  }, [problem])
}

function describe(problem: VideoProblem): string {
  switch (problem.kind) {
    case 'load_failed':
      return videoPlayer.loadFailed(problem.reason)
    case 'gave_up':
      return videoPlayer.gaveUp
    case 'code': {
      const text = videoPlayer.playFailed(problem.code)
      return problem.code === missingReferrerCode ? `${text}. ${videoPlayer.missingReferrer}` : text
    }
  }
}
