/** The videos and playlists in the YouTube double's catalogue. */

/** A video as its uploader and YouTube set it up. */
export interface DoubleVideo {
  /** 11 characters: letters, digits, `-`, `_`. */
  id: string
  title: string
  channelTitle: string
  durationMs: number
  /** A music video (category 10) unless another category is given. */
  categoryId: string
  /** A running live stream has no duration. */
  isLive: boolean
  isEmbeddable: boolean
  /** Whether it may be played outside youtube.com. */
  isSyndicated: boolean
  isAgeRestricted: boolean
  privacy: 'public' | 'unlisted' | 'private'
  regions: { allowed: string[] } | { blocked: string[] } | null
}

export interface DoublePlaylist {
  id: string
  title: string
  channelTitle: string
  /** Ids of videos. Ids that lead to no video are listed as deleted. */
  videoIds: string[]
}

/** Fills in an ordinary, public three minute music video. */
export function toVideo(given: Partial<DoubleVideo> & { id: string }): DoubleVideo {
  return {
    title: `Video ${given.id}`,
    channelTitle: 'Double Records',
    durationMs: 180_000,
    categoryId: '10',
    isLive: false,
    isEmbeddable: true,
    isSyndicated: true,
    isAgeRestricted: false,
    privacy: 'public',
    regions: null,
    ...given,
  }
}

/** Videos whose titles and settings cover what a client must cope with. */
export const sampleVideos: DoubleVideo[] = [
  toVideo({ id: 'harbour0001', title: 'Harbour Lights (Official Video)', durationMs: 214_000 }),
  toVideo({ id: 'harbour0002', title: 'Harbour Lights (Live)', durationMs: 251_000 }),
  toVideo({ id: 'rock-n-roll', title: `Rock & Roll "Ain't" <Dead>`, channelTitle: 'Tom & Jerry' }),
  toVideo({ id: 'long_mix_01', title: 'Ten Hours of Rain', durationMs: 36_000_000 + 61_000 }),
  toVideo({ id: 'tenminutes1', title: 'Slow Tide (Extended)', durationMs: 660_000 }),
  toVideo({ id: 'short_clip1', title: 'Eight Seconds', durationMs: 8_000 }),
  toVideo({ id: 'live_stream', title: 'Radio Double: live', isLive: true, durationMs: 0 }),
  toVideo({ id: 'no_embed_01', title: 'Only on the site', isEmbeddable: false, isSyndicated: false }),
  toVideo({ id: 'blocked_de1', title: 'Not in Germany', regions: { blocked: ['DE', 'AT'] } }),
  toVideo({ id: 'allowed_us1', title: 'Only in the US', regions: { allowed: ['US'] } }),
  toVideo({ id: 'age_limit_1', title: 'For adults', isAgeRestricted: true }),
  toVideo({ id: 'unlisted_01', title: 'With the link only', privacy: 'unlisted' }),
  toVideo({ id: 'private_001', title: 'Hidden', privacy: 'private' }),
  toVideo({ id: 'cooking_001', title: 'Soup', channelTitle: 'Kitchen', categoryId: '26' }),
  ...Array.from({ length: 70 }, (_, index) =>
    toVideo({
      id: `series_${String(index + 1).padStart(4, '0')}`,
      title: `Piano Study No. ${index + 1}`,
      channelTitle: 'Ada Keys',
      durationMs: 61_000 + index * 1_000,
    }),
  ),
]

export const samplePlaylists: DoublePlaylist[] = [
  {
    id: 'PLsample0001',
    title: 'A short list',
    channelTitle: 'Double Records',
    videoIds: ['harbour0001', 'private_001', 'deleted_001', 'no_embed_01', 'rock-n-roll'],
  },
  {
    id: 'PLsample0120',
    title: 'Studies, almost twice',
    channelTitle: 'Ada Keys',
    videoIds: Array.from(
      { length: 120 },
      (_, index) => `series_${String((index % 70) + 1).padStart(4, '0')}`,
    ),
  },
  { id: 'PLsample0000', title: 'Nothing yet', channelTitle: 'Ada Keys', videoIds: [] },
]

/** Formats a duration in ms as ISO 8601, as YouTube does: `PT3M20S`, `P1DT2H`, `P0D` for a live stream. */
export function toIsoDuration(video: Pick<DoubleVideo, 'durationMs' | 'isLive'>): string {
  if (video.isLive) return 'P0D'
  const seconds = Math.round(video.durationMs / 1_000)
  const parts = [
    [Math.floor(seconds / 3_600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const days = Math.floor(seconds / 86_400)
  const time = parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join('')
  return `P${days > 0 ? `${days}D` : ''}${time === '' ? (days > 0 ? '' : 'T0S') : `T${time}`}`
}
