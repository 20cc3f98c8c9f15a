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
