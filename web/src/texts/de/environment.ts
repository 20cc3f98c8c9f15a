import type * as english from '../environment.ts'
import type { Translated } from '../translated.ts'

export const environment = {
  title: 'Umgebung',
  missing: 'Erforderliche Einstellungen fehlen',
  fallbacks: 'Ersatzwerte werden verwendet',
  backendUrl: 'Backend-URL',
  backendUrlText: (origin) => `Unter ${origin} gibt es keinen Earshot-Server.`,
  clientKey: 'Öffentlicher (anonymer) Schlüssel',
  clientKeyText: 'Der Server verlangt den Schlüssel von Seiten anderer Herkunft.',
  socketServer: 'URL des Socket-Servers',
  redirectUri: 'Redirect-URI für Spotify',
  setup: 'Anleitung zur Einrichtung',
  collapse: 'Umgebungshinweis einklappen',
  open: 'Umgebungshinweis öffnen',
} satisfies Translated<typeof english.environment>

export const localLink = {
  text: 'Dieser Link funktioniert nur auf diesem Computer. Für andere Geräte setze PUBLIC_URL auf eine Adresse, unter der sie Earshot erreichen. Im eigenen Netz starte es mit HOST=0.0.0.0 und öffne eine der Adressen, die es dann ausgibt.',
} satisfies Translated<typeof english.localLink>

export const cookies = {
  refused:
    'Dein Browser hat das Cookie abgelehnt, mit dem du angemeldet bleibst. Erlaube Cookies für diese Seite oder öffne sie in einem eigenen Tab.',
} satisfies Translated<typeof english.cookies>
