import type { CodecFacts } from '@earshot/core/diagnosis/facts'
import { canDecodeAudio } from 'mediabunny'
import { openAudioFile } from './decoding/other-file.ts'
import { canDecodeAndSchedule } from './web-codecs.ts'

const wellKnown = [
  { name: 'Opus', codec: 'opus', mimeType: 'audio/ogg; codecs="opus"' },
  { name: 'MP3', codec: 'mp3', mimeType: 'audio/mpeg' },
  { name: 'AAC', codec: 'aac', mimeType: 'audio/mp4; codecs="mp4a.40.2"' },
  { name: 'FLAC', codec: 'flac', mimeType: 'audio/flac' },
  { name: 'PCM', codec: 'pcm-s16', mimeType: 'audio/wav; codecs="1"' },
] as const

/** Checks which common codecs WebCodecs decode and which the audio element plays. */
export async function findCodecSupport(): Promise<CodecFacts[]> {
  return Promise.all(
    wellKnown.map(async ({ name, codec, mimeType }) => ({
      codec: name,
      isDecodable: canDecodeAndSchedule() && (await canDecodeAudio(codec).catch(() => false)),
      isPlayable: canElementPlay(mimeType),
    })),
  )
}

/** Reads the codec of an audio file and this browser's support for it; null without an audio track. */
export async function readTrackCodec(url: string, signal: AbortSignal): Promise<CodecFacts | null> {
  const input = openAudioFile(url)
  const stop = () => input.dispose()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const track = await input.getPrimaryAudioTrack()
    if (!track) return null
    const [codec, mimeType, isDecodable] = await Promise.all([
      track.getCodec(),
      input.getMimeType(),
      track.canDecode(),
    ])
    return {
      codec: wellKnown.find((known) => known.codec === codec)?.name ?? codec ?? mimeType,
      isDecodable: canDecodeAndSchedule() && isDecodable,
      isPlayable: canElementPlay(mimeType),
    }
  } finally {
    signal.removeEventListener('abort', stop)
    input.dispose()
  }
}

const canElementPlay = (mimeType: string): boolean =>
  document.createElement('audio').canPlayType(mimeType) !== ''
