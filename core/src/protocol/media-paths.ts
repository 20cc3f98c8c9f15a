/**
 * The paths of a library track's audio, of the same in a form in which players find any position, and of its cover. A
 * cover with its version can be cached for ever.
 */
export const trackAudioPath = (trackId: string): string => `/api/tracks/${encodeURIComponent(trackId)}/audio`
export const trackStreamPath = (trackId: string): string =>
  `/api/tracks/${encodeURIComponent(trackId)}/stream`
export const trackArtPath = (trackId: string, version = ''): string =>
  `/api/tracks/${encodeURIComponent(trackId)}/art${version && `?v=${version}`}`

/** The path of a user's picture, which never changes. */
export const profilePicturePath = (pictureId: string): string =>
  `/api/pictures/${encodeURIComponent(pictureId)}`

/**
 * The brand (ISO/IEC 14496-12, 4.3) by which the page knows that a stream is one that the server has put together, of
 * which it reads no other kind by itself.
 */
export const streamBrand = 'ears'
