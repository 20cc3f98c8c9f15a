import type { TracksFound } from '../../providers/provider.ts'

/**
 * A page of tracks as it is answered: with where the next one begins. That is null after the last page, and
 * beyond `offsetMax`, from where nobody may ask for more.
 */
export function toPageAnswer(
  { tracks, total }: TracksFound,
  { offset, offsetMax = Infinity }: { offset: number; offsetMax?: number },
): TracksFound & { nextOffset: number | null } {
  const end = offset + tracks.length
  const hasMore = tracks.length > 0 && end < total && end <= offsetMax
  return { tracks, total, nextOffset: hasMore ? end : null }
}
