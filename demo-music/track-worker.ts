/** One thread a track: renders the track whose index it is given and posts a `RenderedTrack`. */
import { parentPort, workerData } from 'node:worker_threads'
import { tracks } from './album.ts'
import { measureLoudness } from './mix/loudness.ts'
import { toPcm } from './mix/pcm.ts'
import { renderScore } from './mix/render-score.ts'
import { findPeak, toDecibels } from './signal/stereo.ts'

export interface RenderedTrack {
  pcm: Uint8Array<ArrayBuffer>
  /** LUFS. */
  loudness: number
  peakDecibels: number
}

const track = tracks[Number(workerData)]
if (!track) throw new Error(`There is no track ${String(workerData)}`)
const sound = renderScore(track.score)
const pcm = toPcm(sound)
const rendered: RenderedTrack = {
  pcm,
  loudness: measureLoudness(sound),
  peakDecibels: toDecibels(findPeak(sound)),
}
parentPort?.postMessage(rendered, [pcm.buffer])
