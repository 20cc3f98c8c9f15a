import type * as english from '../errors.ts'
import type { Translated } from '../translated.ts'

export const errorTexts = {
  unauthenticated: 'Du bist nicht angemeldet',
  origin_refused:
    'Dieser Server akzeptiert diese Adresse nicht. Der Betreiber kann sie mit der Einstellung PUBLIC_URL zulassen.',
  client_key_required: 'Diese App hat keinen gültigen Schlüssel für diesen Server.',
  sign_up_closed: 'Dieser Server nimmt keine neuen Konten an.',
  invite_required:
    'Registrieren kannst du dich nur mit Einladung, und diese fehlt, ist aufgebraucht oder abgelaufen.',
  name_taken: 'Dieser Name ist vergeben. Wähle einen anderen.',
  account_disabled: 'Dieses Konto ist deaktiviert. Wende dich an die Administration dieses Servers.',
  not_admin: 'Das kann nur die Administration.',
  wrong_code: 'Dieser Code ist falsch oder abgelaufen.',
  library_closed: 'Die Bibliothek dieses Servers ist für eingeladene Mitglieder.',
  room_not_found: 'Raum nicht gefunden',
  track_not_found: 'Dieser Titel ist nicht mehr verfügbar.',
  queue_entry_not_found: 'Dieser Titel ist nicht mehr in der Warteschlange.',
  not_a_member: 'Tritt zuerst dem Raum bei.',
  not_owner: 'Das kann nur der Besitzer des Raums.',
  banned: 'Der Besitzer dieses Raums hat dich gesperrt.',
  network_banned:
    'Neue Gäste aus diesem Netz können diesem Raum derzeit nicht beitreten. Melde dich an, um beizutreten.',
  not_your_entry: 'In diesem Raum kannst du nur entfernen, was du selbst hinzugefügt hast.',
  password_required: 'Dieser Raum braucht ein Passwort.',
  wrong_password: 'Falsches Passwort. Versuche es noch einmal.',
  account_required: 'Gäste können das nicht. Erstelle zuerst ein Konto.',
  guests_not_admitted: 'In diesen Raum kommen Gäste nur mit einem Einladungslink.',
  guests_cannot_chat: 'Gäste können in diesem Raum nicht chatten.',
  guests_cannot_queue: 'Gäste können die Warteschlange dieses Raums nicht ändern.',
  no_track: 'Es läuft kein Titel.',
  queue_full: 'Die Warteschlange ist voll.',
  too_many_waiting:
    'Du hast so viele wartende Titel, wie dieser Raum pro Person erlaubt. Füge mehr hinzu, sobald einer gespielt wurde.',
  too_many_rooms: 'Du hast zu viele Räume. Lösche zuerst einen.',
  source_unavailable: 'Diese Quelle gibt es auf diesem Server nicht.',
  not_connected: 'Verbinde zuerst dein Konto.',
  must_reconnect: 'Die Verbindung zu deinem Konto ist beendet. Verbinde es erneut.',
  provider_failed: 'Der Anbieter hat nicht geantwortet. Versuche es gleich noch einmal.',
  provider_limit: 'Das Limit des Anbieters ist erreicht. Versuche es später noch einmal.',
  link_not_supported: 'Nur Links zu Titeln und Playlists von YouTube und Spotify können hinzugefügt werden.',
  invalid_input: 'Der Server hat diese Anfrage als ungültig abgelehnt.',
  payload_too_large: 'Das ist zu lang.',
  unknown_event: 'Der Server unterstützt das nicht.',
  not_found: 'Nicht gefunden.',
  rate_limited: 'Zu viele Anfragen. Warte einen Moment und versuche es noch einmal.',
  unavailable: 'Der Server ist gerade nicht verfügbar.',
  internal: 'Auf dem Server ist etwas schiefgegangen.',
} satisfies Translated<typeof english.errorTexts>

/** `when`: 'in 9 minutes'. */
export const retryText = (when: string): string => `Zu viele Anfragen. Versuche es ${when} noch einmal.`
