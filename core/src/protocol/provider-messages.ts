/** Why a provider's music cannot be found or played, in English: on the wire, and the keys of their translations. */

export const spotifyMessages = {
  noAnswer: 'Spotify did not answer. Try again in a moment',
  unreadable: 'Spotify gave an answer that this server cannot read',
  refused: 'Spotify refused this. Try to connect your Spotify account again',
  notListed:
    'Spotify does not admit this account: the owner of this Spotify app must add it in the dashboard at developer.spotify.com',
  ownerNeedsPremium: 'Spotify has paused this Spotify app: its owner needs an active Premium subscription',
  limitReached: 'The limit that Spotify sets is reached',
  notConnected: 'Connect your Spotify account first',
  mustReconnect: 'The connection to your Spotify account has ended. Connect it again',
  consentUsed: 'This Spotify authorization has expired or was used. Connect again',
  noSuchPlaylist: 'Spotify has no such playlist',
  playlistNotShown:
    'Spotify shows the tracks of a playlist to its owner and collaborators only. Add them to a playlist of your own',
  noSuchTrack: 'Spotify has no such track',
  notInCountry: 'Spotify does not offer this track in your country',
  entryOfDevice: "A file on its owner's device",
  entryOfPodcast: 'A podcast episode',
  entryNotInAccount: 'Not available with your Spotify account',
  entryNotInCountry: 'Not available in your country',
  entryGone: 'No longer available on Spotify',
} as const

export const youtubeMessages = {
  noAnswer: 'YouTube could not answer. Try again later',
  busy: 'YouTube is busy. Try again in a minute',
  keyRefused: 'YouTube did not accept the API key',
  searchesUsedUp: "Today's YouTube searches are used up. Pasted links still work",
  shareUsedUp:
    "You have used your share of today's YouTube searches; the others are left for other people. " +
    'Pasted links still work, and so does a key of your own in your profile',
  requestsUsedUp: "Today's requests to YouTube are used up. Links to single videos still work",
  playlistNeedsKey: 'Playlists of YouTube need an API key. Add your own in your profile',
  noSuchPlaylist: 'This playlist does not exist, or it is private',
  noSuchVideo: 'This video does not exist, or it is private',
  videoNotShown: 'This video does not exist, or it is private, or it may not be shown elsewhere',
  mix: 'YouTube makes mixes for one person only. Paste a link to a playlist instead',
  privateList: 'This list is visible to its owner only. Paste a link to a public playlist instead',
  entryNotEmbeddable: 'It cannot be played outside YouTube',
  entryOfAge: 'It is age-restricted',
  entryLive: 'It is a live stream',
  entryGone: 'It is private or was removed',
} as const
