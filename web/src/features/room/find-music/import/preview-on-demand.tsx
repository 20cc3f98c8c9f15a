import { onDemand } from '../../../../ui/loading/on-demand.tsx'
import type { PlaylistPreviewProps } from './playlist-preview.tsx'

/** The preview of a playlist, whose code loads when one is opened. */
export const PlaylistPreview = onDemand<PlaylistPreviewProps>(
  async () => (await import('./playlist-preview.tsx')).PlaylistPreview,
)
