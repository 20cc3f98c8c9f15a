import { pluralsOf } from '@earshot/core/plurals'
import type { Door } from '@earshot/core/protocol/door-calls'
import type { Language } from '@earshot/core/protocol/languages'

/** The texts of a room link's preview. */
interface PreviewTexts {
  private: string
  /** Follows, where more than one listens. */
  listening(count: number): string
  song(title: string, artist: string): string
  nothing(owner: string): string
  playing(owner: string, song: string): string
  invitation: string
  next(song: string): string
  invitationWith(owner: string): string
}

const german = pluralsOf<'one'>('de')
const arabic = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many'>('ar-u-nu-latn')

const texts: Record<Language, PreviewTexts> = {
  en: {
    private: 'A private room on Earshot.',
    listening: (count) => `${count} people are listening.`,
    song: (title, artist) => `${title} by ${artist}`,
    nothing: (owner) => `Listen to music together with ${owner}.`,
    playing: (owner, song) => `${owner} is playing ${song}.`,
    invitation: 'Listen along.',
    next: (song) => `Next: ${song}.`,
    invitationWith: (owner) => `Listen along with ${owner}.`,
  },
  de: {
    private: 'Ein privater Raum auf Earshot.',
    listening: (count) => german(count, { one: '# Person hört zu.', other: '# Personen hören zu.' }),
    song: (title, artist) => `${title} von ${artist}`,
    nothing: (owner) => `Höre gemeinsam mit ${owner} Musik.`,
    playing: (owner, song) => `${owner} spielt ${song}.`,
    invitation: 'Hör mit.',
    next: (song) => `Als Nächstes: ${song}.`,
    invitationWith: (owner) => `Hör mit ${owner} mit.`,
  },
  ar: {
    private: 'غرفة خاصة على Earshot.',
    listening: (count) =>
      arabic(count, {
        zero: 'لا أحد يستمع.',
        one: 'يستمع شخص واحد.',
        two: 'يستمع شخصان.',
        few: 'يستمع # أشخاص.',
        many: 'يستمع # شخصًا.',
        other: 'يستمع # شخص.',
      }),
    song: (title, artist) => `${title} لـ ${artist}`,
    nothing: (owner) => `استمع إلى الموسيقى مع ${owner}.`,
    playing: (owner, song) => `تشغيل ${song} في غرفة ${owner}.`,
    invitation: 'استمع معهم.',
    next: (song) => `التالي: ${song}.`,
    invitationWith: (owner) => `استمع مع ${owner}.`,
  },
}

/** Describes a room for the preview of its link, to a visitor without a session. */
export function describeDoor(
  { isPublic, owner, track, isPlaying, listeners }: Door,
  language: Language,
): string {
  const text = texts[language]
  if (!isPublic) return text.private
  const others = listeners > 1 ? [text.listening(listeners)] : []
  if (!track) return [text.nothing(owner.username), ...others].join(' ')
  const song = track.artist === '' ? track.title : text.song(track.title, track.artist)
  const sentences = isPlaying
    ? [text.playing(owner.username, song), ...others, text.invitation]
    : [text.next(song), ...others, text.invitationWith(owner.username)]
  return sentences.join(' ')
}
