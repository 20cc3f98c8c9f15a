import type { SyncCause } from '@earshot/core/protocol/sync-report'
import { locale } from './language.ts'

/** The texts of the stage and of the sync. */

/** Follow the title of a skipped track that still exists. */
const skipReasons: Readonly<Record<string, string>> = {
  not_embeddable: 'plays only on YouTube, so it was skipped',
  blocked: 'is blocked for everybody here, so it was skipped',
  age_restricted: 'is restricted by age, so it was skipped',
  live: 'is a live stream, so it was skipped',
}

export const nowPlaying = {
  title: 'Now Playing',
  /** Names the player bar where it could not be displayed. */
  controls: 'Player',
  emptyTitle: 'No track playing',
  emptyText: 'Add songs to the queue to start listening',
  findMusic: 'Find music',
  art: (title: string) => `Cover of ${title}`,
  unknownTime: '--:--',
  position: 'Position',
  positionText: (elapsed: string, duration: string) => `${elapsed} of ${duration}`,
  play: 'Play',
  pause: 'Pause',
  next: 'Next track',
  voteToSkip: 'Vote to skip',
  skipVotes: (votes: number, needed: number) => `${votes} of ${needed} votes to skip`,
  previous: 'Previous',
  previousHint: (seconds: number) =>
    `Back to the start; in the first ${seconds} seconds, to the track before`,
  mute: 'Mute',
  unmute: 'Unmute',
  volume: 'Volume',
  volumeText: (percent: number) => `${percent} percent`,
  sync: 'Sync',
  syncHint: "Sync playback (Press 's' key)",
  syncing: 'Syncing',
  syncingText: 'Aligning your sound with the room',
  leave: 'Leave',
  leaveHint: 'Leave the room',
  cueing: 'Getting everyone ready...',
  tapToListen: 'Tap to listen',
  tapToListenText: 'Your browser needs a tap before it can play sound.',
  open: 'Open',
  skip: 'Skip',
  pauseHere: 'Pause here',
  playHere: 'Play here',
  silentHere: {
    paused: 'Paused on this device',
    in_other_tab: 'Playing in another tab',
    on_other_device: 'Spotify is playing on another device',
  },
  silentHereText: 'The room is not affected. Jump back in at any time.',
  soundFailed: 'The sound could not be loaded',
  soundFailedText: {
    library: 'Your device asks the server again every few seconds.',
    spotify:
      'Spotify’s player does not answer. Check your connection, and whether an extension blocks Spotify. Earshot tries again every few seconds.',
  },
  slowSound: 'The sound is slow to load',
  slowSoundText:
    'Your connection is slow, or the server cannot read the file right now. It plays as soon as enough of it is here.',
  soundRefusedText: (time: string) => `Spotify asks to wait until ${time}. Then Earshot tries again.`,
  unavailable: ({ title, count, reason = 'removed' }: { title: string; count: number; reason?: string }) => {
    const fact = skipReasons[reason]
    if (count === 1) return `“${title}” ${fact ?? 'is no longer available'}`
    const others = `“${title}” and ${count - 1} more ${count === 2 ? 'track' : 'tracks'}`
    return fact ? `${others} cannot be played here` : `${others} are no longer available`
  },
  announce: (title: string, artist: string) => `Now playing: ${title}${artist && ` by ${artist}`}`,
  announceNothing: 'Nothing is playing',
  listen: 'Listen mode',
  listenHint: "Listen mode (Press 'f' key)",
  upNext: (title: string, artist: string) => `Next: ${title}${artist && ` · ${artist}`}`,
  miniPlayer: 'Mini player',
}

/** Links of a track to its provider. */
export const trackSource = {
  at: (title: string, source: string) => `${title} on ${source}`,
}

export const videoPlayer = {
  region: 'Video',
  loading: 'Loading YouTube player...',
  errorTitle: 'YouTube Player Error',
  errorText: (code: number) => `Error code ${code}. Try refreshing the page.`,
  playFailed: (code: number) => `Error playing video (code: ${code})`,
  gaveUp: 'Failed to load video after multiple attempts',
  loadFailed: (reason: string) => `Failed to load video: ${reason}`,
  missingReferrer:
    'YouTube did not receive the address of this site. A browser extension, or a proxy in front of this server, removes the Referer header.',
}

export const syncTexts: Record<SyncCause, string> = {
  in_sync: 'In sync',
  correcting: 'Correcting',
  buffering: 'Buffering',
  ad: 'Waiting for an ad',
  hidden: 'In the background',
  blocked: 'Sound is blocked',
  unplayable: 'Cannot play this track',
  no_clock: 'Clock settling',
  paused: 'Paused',
}

export const syncBadge = {
  within: (text: string, ms: number) => `${text} · within ${ms} ms`,
  label: 'Your sync',
  disconnected: 'Connection lost',
  alone: 'Just you so far',
  aloneText: 'Invite somebody to hear the same music at the same moment.',
}

export const syncPanel = {
  title: 'Sync',
  own: 'You',
  half: 'Half of the room',
  nearlyAll: '95% of the room',
  within: (ms: number) => `within ${ms < 10 ? (Math.ceil(ms * 10) / 10).toFixed(1) : Math.ceil(ms)} ms`,
  unknown: 'not available yet',
  unmeasurable: (ms: number) =>
    `Up to ${Math.ceil(ms)} ms of this cannot be measured: half the difference between your connection’s two directions. If you hear an echo, use the nudge.`,
  latencyUnknown:
    'This browser does not say how late your sound comes out of the device, so that is not part of these figures. If you hear an echo, use the nudge.',
  roomWithin: (ms: number) => `in sync within ${Math.max(1, Math.ceil(ms))} ms`,
}

export const nudge = {
  label: 'Nudge',
  hint: 'Do you hear an echo of the other listeners? Shift your sound later or earlier until it is gone. This device remembers the setting.',
  earlier: (stepMs: number) => `${stepMs} ms earlier`,
  later: (stepMs: number) => `${stepMs} ms later`,
  none: '0 ms',
  value: (ms: number) => `${Math.abs(ms)} ms ${ms > 0 ? 'later' : 'earlier'}`,
  reset: 'Reset',
}

const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

export const loudness = {
  label: 'Even out loudness',
  hint: 'Quiet and loud tracks of the library sound about equally loud, where their files say how loud they are. This device remembers the setting.',
  gain: (db: number) => `This track: ${signed.format(db)} dB`,
  unstated: 'Its file does not say how loud it is.',
}
