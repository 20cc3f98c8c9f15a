import type { FileWindow } from '../../seekable/audio-packets.ts'
import { readWavFormat, UnknownSamplesError, type WavFormat } from '../../waveforms/measure-wav.ts'
import { UnreadableAudioError } from '../unreadable-audio.ts'

/** More than a RIFF header can state. */
const mostRiffBytes = 2 ** 32
/** The formats that players know, by their numbers: PCM, float, A-law, mu-law and MP3. */
const playable = new Set([1, 3, 6, 7, 0x55])
const repair = 'ffmpeg -i in.wav -c copy -rf64 auto out.wav'

/**
 * Finds the duration of the samples in a WAV file, in ms, also where a recorder did not go back to its header, which then
 * states 4 GB of them. @throws UnreadableAudioError where players would miss samples
 */
export function readWavDuration(file: FileWindow): number {
  if (file.bytes(0, 4).toString('latin1') === 'BW64')
    throw new UnreadableAudioError(`BW64, which browsers cannot play: convert it to RF64, by ${repair}`)
  const { isRf64, dataAt, dataBytes, frameBytes, sampleRate } = readPlayable(file)
  if (!isRf64 && file.size > mostRiffBytes) {
    throw new UnreadableAudioError(
      `Larger than 4 GB, which its header cannot state: convert it to RF64, by ${repair}`,
    )
  }
  if (dataBytes === 0 && file.size - dataAt > frameBytes) {
    throw new UnreadableAudioError(
      `Its recorder did not complete the header, which states no samples: repair it, by ${repair}`,
    )
  }
  return ((dataBytes / frameBytes) * 1_000) / sampleRate
}

function readPlayable(file: FileWindow): WavFormat {
  try {
    return readWavFormat(file)
  } catch (error) {
    if (!(error instanceof UnknownSamplesError) || playable.has(error.kind)) throw error
    throw new UnreadableAudioError(
      'Its samples are compressed, as by ADPCM, which browsers cannot play: convert it, by ffmpeg -i in.wav out.flac',
      { cause: error },
    )
  }
}
