import { spotifyMessages, youtubeMessages } from '@earshot/core/protocol/provider-messages'
import { pairTexts } from '../translated.ts'

const spotify = {
  noAnswer: 'Spotify hat nicht geantwortet. Versuche es gleich noch einmal',
  unreadable: 'Dieser Server kann die Antwort von Spotify nicht lesen',
  refused: 'Spotify hat das abgelehnt. Versuche, dein Spotify-Konto neu zu verbinden',
  notListed:
    'Spotify lässt dieses Konto nicht zu: Der Besitzer dieser Spotify-App muss es im Dashboard auf developer.spotify.com hinzufügen',
  ownerNeedsPremium: 'Spotify hat diese Spotify-App angehalten: Ihr Besitzer braucht ein aktives Premium-Abo',
  limitReached: 'Das Limit von Spotify ist erreicht',
  notConnected: 'Verbinde zuerst dein Spotify-Konto',
  mustReconnect: 'Die Verbindung zu deinem Spotify-Konto ist beendet. Verbinde es erneut',
  consentUsed:
    'Diese Freigabe bei Spotify ist abgelaufen oder wurde schon verwendet. Verbinde dein Konto erneut',
  noSuchPlaylist: 'Diese Playlist gibt es bei Spotify nicht',
  playlistNotShown:
    'Spotify zeigt die Titel einer Playlist nur dem Besitzer und allen, die an ihr mitarbeiten. Füge sie einer eigenen Playlist hinzu',
  noSuchTrack: 'Diesen Titel gibt es bei Spotify nicht',
  notInCountry: 'Spotify bietet diesen Titel in deinem Land nicht an',
  entryOfDevice: 'Eine Datei auf dem Gerät des Besitzers',
  entryOfPodcast: 'Eine Podcast-Folge',
  entryNotInAccount: 'Mit deinem Spotify-Konto nicht verfügbar',
  entryNotInCountry: 'In deinem Land nicht verfügbar',
  entryGone: 'Bei Spotify nicht mehr verfügbar',
} satisfies Record<keyof typeof spotifyMessages, string>

const youtube = {
  noAnswer: 'YouTube konnte nicht antworten. Versuche es später noch einmal',
  busy: 'YouTube ist ausgelastet. Versuche es in einer Minute noch einmal',
  keyRefused: 'YouTube hat den API-Schlüssel nicht angenommen',
  searchesUsedUp: 'Die YouTube-Suchen für heute sind aufgebraucht. Eingefügte Links funktionieren weiterhin',
  shareUsedUp:
    'Du hast deinen Anteil an den heutigen YouTube-Suchen aufgebraucht; die übrigen sind für andere da. ' +
    'Eingefügte Links funktionieren weiterhin, ebenso ein eigener Schlüssel in deinem Profil',
  requestsUsedUp:
    'Die Anfragen an YouTube für heute sind aufgebraucht. Links zu einzelnen Videos funktionieren weiterhin',
  playlistNeedsKey:
    'Playlists von YouTube brauchen einen API-Schlüssel. Hinterlege einen eigenen in deinem Profil',
  noSuchPlaylist: 'Diese Playlist gibt es nicht, oder sie ist privat',
  noSuchVideo: 'Dieses Video gibt es nicht, oder es ist privat',
  videoNotShown:
    'Dieses Video gibt es nicht, es ist privat, oder es darf auf anderen Seiten nicht gezeigt werden',
  mix: 'Einen Mix stellt YouTube nur für eine Person zusammen. Füge stattdessen einen Link zu einer Playlist ein',
  privateList:
    'Diese Liste sieht nur ihr Besitzer. Füge stattdessen einen Link zu einer öffentlichen Playlist ein',
  entryNotEmbeddable: 'Spielt nur auf YouTube',
  entryOfAge: 'Hat eine Altersbeschränkung',
  entryLive: 'Ein Livestream',
  entryGone: 'Privat oder entfernt',
} satisfies Record<keyof typeof youtubeMessages, string>

const byMessage = new Map([...pairTexts(spotifyMessages, spotify), ...pairTexts(youtubeMessages, youtube)])

export const providerMessage = (message: string): string | null => byMessage.get(message) ?? null
