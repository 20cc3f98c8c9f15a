import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { sourceNames } from './common.ts'

/** The texts of Find Music, and of what cannot be played. */

export const findMusic = {
  title: 'Find Music',
  source: 'Source',
  placeholder: 'Search for music...',
  searchLabel: 'Search for music',
  search: 'Search',
  hint: (source: string) => `Searching ${source} - Press Enter to search`,
  results: 'Results - Click + to add to queue',
  browse: 'From the library - Click + to add to queue',
  noResults: 'No results found',
  noResultsText: 'Check the spelling, or try the artist instead of the title.',
  emptyLibrary: 'The library has no music yet',
  emptyLibraryText: 'Music added to the music folder of this server appears here.',
  add: (title: string) => `Add ${title} to the queue`,
  more: 'Show more',
  failedTitle: 'Search Failed',
  failedText: 'Could not search for tracks. Please try again.',
  failedInList: 'The search failed',
  retry: 'Try again',
  searchFirst: (source: string) => `Search ${source} for a title or an artist, or paste a link.`,
  linksOnlyPlaceholder: (source: string) => `Paste a ${source} link`,
  linksOnly: (source: string) => `Paste a ${source} link`,
  linksOnlyText: (source: string) =>
    `This server cannot search ${source}, but links to videos and playlists work.`,
  searchNeedsAccount: (source: string) => `Sign in to search ${source}`,
  linksWorkForGuests: 'Links to videos and playlists work without an account.',
  notConnected: (source: string) => `Connect ${source} on your profile to search it`,
  mustReconnect: (source: string) => `Your connection to ${source} has ended`,
  mustReconnectText: (source: string) => `Connect ${source} on your profile again to search it.`,
  paused: (source: string) => `No more ${source} searches for now`,
  pausedUntil: (time: string) => `The limit is reached. Search works again from ${time}; links still work.`,
  pausedText: 'The limit is reached. Try again later; links still work.',
  searchesLeft: (left: number, limit: number) => `${left} of ${limit} searches left today`,
  linkResult: 'From your link - Click + to add to queue',
  linkFailed: 'This link could not be opened',
  linksOmitted: (shown: number, count: number) =>
    `The first ${shown} of ${count} links. Paste the others later.`,
  tooLong: 'This is too long to search for',
  tooLongText: `Search for a title or an artist, in at most ${limits.searchQueryMaxLength} characters.`,
  restricted: {
    not_embeddable: 'Not playable here: its owner does not allow it on other sites',
    age_restricted: 'Not playable here: restricted by age',
    live: 'Not playable here: a live stream',
    removed: 'Not playable here: no longer available',
  },
  restrictedOther: 'Not playable here',
  playlists: 'Your Spotify playlists',
  noPlaylists: 'You have no playlists on Spotify',
  noPlaylistsText: 'Search Spotify for a title or an artist, or paste a link.',
  playlistsFailed: 'Your playlists could not be loaded',
  preview: (name: string) => `Choose tracks from ${name}`,
}

const inWords = (source: Source): string => (source === 'library' ? 'the library' : sourceNames[source])

/** Tracks that this listener, or some members, cannot play. */
export const playability = {
  count: (count: number) => `${count} cannot play this`,
  toProfile: 'Go to my profile',
  premium: 'About Premium',
  tryAgain: 'Try again',
  watch: 'Watch on YouTube',
  reasons: {
    not_connected: {
      badge: 'Spotify not connected',
      short: 'You cannot play this: Spotify is not connected',
      title: 'Connect Spotify to hear this track',
      text: 'It plays from your own Spotify Premium account, which you connect on your profile.',
    },
    no_premium: {
      badge: 'Needs Spotify Premium',
      short: 'You cannot play this: it needs Spotify Premium',
      title: 'This track needs Spotify Premium',
      text: 'Spotify plays in other apps for Premium members only.',
    },
    no_drm: {
      badge: 'No Spotify in this browser',
      short: 'You cannot play this in this browser',
      title: 'This browser cannot play Spotify',
      text: 'It does not support protected audio. Try a current Chrome, Edge, Firefox or Safari.',
    },
    app_paused: {
      badge: 'Spotify is paused',
      short: 'You cannot play this: Spotify is paused for this server',
      title: 'Spotify is paused for this server',
      text: 'The owner of its Spotify app needs an active Premium subscription.',
    },
    format: {
      badge: 'Cannot play this format',
      short: 'You cannot play this in this browser',
      title: 'This browser cannot play this format',
      text: 'The others in the room may still hear it.',
    },
    not_embeddable: {
      badge: 'Plays only on YouTube',
      short: 'You cannot play this here, only on YouTube',
      title: 'This video plays only on YouTube',
      text: 'Its owner does not allow it on other sites, or not in your country.',
    },
    blocked: {
      badge: 'Blocked for you',
      short: 'You cannot play this: it is blocked for you',
      title: 'This track is blocked for you',
      text: 'It is restricted by region or age. The others in the room may still hear it.',
    },
    live: {
      badge: 'Live stream',
      short: 'You cannot play this here: it is a live stream',
      title: 'This is a live stream',
      text: 'A room cannot play live streams together. You can watch it on YouTube.',
    },
    removed: {
      badge: 'No longer available',
      short: 'This track is no longer available',
      title: 'This track is no longer available',
      text: 'Its provider has removed it.',
    },
  },
  otherReason: {
    badge: 'Cannot play this track',
    short: 'You cannot play this',
    title: 'This track cannot be played here',
    text: 'The others in the room may still hear it.',
  },
  playInstead: (source: Source, percent: number) =>
    `Play it from ${inWords(source)} instead (${percent} % sure)`,
  hearing: (source: Source) => `You hear this from ${inWords(source)}`,
  hearingText: (title: string, artist: string) =>
    `${title}${artist && ` by ${artist}`}. Only you hear it from there.`,
  stopInstead: 'Back to the original',
}
