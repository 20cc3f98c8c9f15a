import type { FindingCode, Severity } from '@earshot/core/diagnosis/findings'
import { limits } from '@earshot/core/limits'
import { productName } from './common.ts'

/** The texts of the diagnosis. */

/** The text of each finding: the problem and its remedy. */
const findingTexts: Record<FindingCode, { title: string; text: string }> = {
  offline: {
    title: 'This device is offline',
    text: 'Check your Wi-Fi or cable. The music continues as long as it is buffered.',
  },
  server_unreachable: {
    title: 'The server cannot be reached',
    text: 'Check your internet connection. If other sites work, the server may be down: try again in a minute.',
  },
  server_unhealthy: {
    title: 'The server is not healthy',
    text: 'It answers, but reports a problem. Contact its administrator.',
  },
  realtime_refused: {
    title: 'The room connection cannot be established',
    text: 'The server itself answers. Press Reconnect. If that does not help, check for a firewall, proxy or browser extension that blocks it.',
  },
  http_unreachable: {
    title: 'The server answers in the room only',
    text: 'HTTP requests get no answer, so search and playback may fail. Reload the page. If that does not help, check for a proxy or browser extension that blocks them.',
  },
  long_polling: {
    title: 'Long polling instead of WebSocket',
    text: 'The connection works, but with a higher delay. A proxy or firewall may block WebSocket connections: allow them, or try another network.',
  },
  high_latency: {
    title: 'The connection is slow',
    text: `The server takes over ${limits.poorLatencyMs} ms to answer. Move closer to the router, stop large downloads or disconnect the VPN.`,
  },
  cookies_off: {
    title: 'Cookies are turned off',
    text: 'You cannot stay signed in without cookies. Allow them for this site in the browser settings.',
  },
  session_missing: {
    title: 'You are no longer signed in',
    text: 'Sign in again to return to the room.',
  },
  page_outdated: {
    title: 'This page is out of date',
    text: 'The server has a newer version. Reload the page.',
  },
  clock_not_measured: {
    title: 'The clock is not synchronised yet',
    text: 'Too few clock probes were answered so far. Wait a few seconds and run the diagnosis again.',
  },
  clock_uncertain: {
    title: 'The clock is only roughly synchronised',
    text: 'Your sound may be off by tens of milliseconds. Use a faster network, or correct it by ear with the nudge.',
  },
  probes_lost: {
    title: 'Some clock probes got no answer',
    text: 'The network loses messages. Move closer to the router, or use a cable.',
  },
  probes_jittery: {
    title: 'The network delay varies a lot',
    text: 'This makes the clock harder to synchronise. Use a cable, or reduce other traffic.',
  },
  device_clock_off: {
    title: 'The clock of this device is off',
    text: 'This does not matter: the room uses the server clock.',
  },
  sound_blocked: {
    title: 'The browser blocks the sound',
    text: 'Press Tap to listen. To allow sound permanently, use the site settings of the browser.',
  },
  muted: {
    title: 'The sound is turned off here',
    text: 'Press m or move the volume slider to hear the room.',
  },
  insecure_context: {
    title: 'The page is not served securely',
    text: 'Over plain HTTP the browser offers no audio decoder. The sound still gets within a few ms after some seconds; for better sync, open the page over HTTPS or on localhost.',
  },
  no_decoder: {
    title: 'This browser has no audio decoder for pages',
    text: 'The fallback player gets within a few ms after some seconds. For better sync, use a current browser.',
  },
  track_undecodable: {
    title: 'This browser cannot play the current track',
    text: 'Try another browser, or skip the track.',
  },
  track_failed: {
    title: 'The current track could not be loaded',
    text: 'Loading is retried every few seconds. If it keeps failing, skip the track and contact the administrator of the server.',
  },
  track_by_element: {
    title: 'The current track needs the fallback player',
    text: 'The browser cannot decode its format directly. The sound gets within a few ms after some seconds.',
  },
  output_latency_long: {
    title: 'Your sound device is slow',
    text: 'This is normal for wireless headphones and speakers, and is compensated. If you still hear an echo, use the nudge.',
  },
  output_latency_ignored: {
    title: 'Your sound device reports an implausible delay',
    text: `Delays over ${limits.plausibleOutputLatencyMs} ms are not compensated. Adjust the nudge by ear, or use a wired device.`,
  },
  output_latency_unknown: {
    title: 'Your browser does not state the delay of your sound',
    text: 'So it cannot be compensated, and your sound may be some hundredths of a second late. If you hear an echo, adjust the nudge by ear.',
  },
  tab_hidden: {
    title: 'This tab was in the background',
    text: 'Browsers slow down hidden tabs, which delays corrections. Keep the tab visible for the best sync.',
  },
  sync_error_large: {
    title: 'Your sound is out of sync',
    text: 'Press Sync. If the problem remains, close other programs, and use a cable for network and sound.',
  },
  sync_error_swinging: {
    title: 'Your sync is unsteady',
    text: 'The device or its network is busy at times. Close other tabs and programs.',
  },
  buffering_often: {
    title: 'The sound often pauses to buffer',
    text: 'The network is too slow for this track. Stop other downloads, or move closer to the router.',
  },
}

/** Formats with one decimal; avoids '-0.0'. */
const tenths = (value: number): string => value.toFixed(1).replace(/^-(?=0\.0$)/, '')

const diagnosisMs = (ms: number): string => `${Math.abs(ms) < 10 ? tenths(ms) : ms.toFixed(0)} ms`

export const diagnosis = {
  title: 'Diagnosis',
  text: 'Checks connection, clock and sound, and suggests what to do. No data is shared.',
  run: 'Run diagnosis',
  running: (steps: string[]) => `Checking ${steps.join(', ')}...`,
  steps: { server: 'the server', clock: 'the clock', sound: 'the sound', session: 'the session' },
  progress: 'Progress of the diagnosis',
  allGood: 'Everything looks good',
  allGoodText: 'Connection, clock and sound work as they should.',
  done: (count: number) =>
    count === 0
      ? 'Diagnosis finished: everything looks good'
      : `Diagnosis finished with ${count === 1 ? '1 finding' : `${count} findings`}`,
  findings: 'Findings',
  findingTexts,
  severities: { ok: 'Harmless', notice: 'Notice', problem: 'Problem' } satisfies Record<Severity, string>,
  facts: 'Facts',
  copy: 'Copy report',
  copied: 'Report copied',
  copiedText: 'It contains no names, passwords or keys.',
  copyByHand: 'The browser does not allow access to the clipboard here. Copy the report by hand.',
  report: 'Report',
  reportTitle: (time: string) => `${productName} diagnosis, ${time}`,
  room: 'Room',
  browser: 'Browser',
  finding: (severity: string, title: string, text: string) => `[${severity}] ${title}. ${text}`,
  ms: diagnosisMs,
  none: 'None',
  unknown: 'Unknown',
  server: 'Server',
  health: 'Server check',
  healthStates: {
    healthy: (latency: string) => `Healthy, answered in ${latency}`,
    unhealthy: (latency: string) => `Unhealthy, answered in ${latency}`,
    unreachable: () => 'No answer',
  },
  version: 'Server version',
  connection: 'Room connection',
  connectionStates: {
    connected: 'Connected',
    connecting: 'Connecting',
    disconnected: 'Disconnected',
    disabled: 'Disabled',
  },
  transports: { websocket: 'WebSocket', polling: 'Long polling' },
  latency: 'Latency',
  latencyText: (middle: string, fastest: string, slowest: string) => `${middle} (${fastest} to ${slowest})`,
  probes: 'Probes',
  probesText: (answered: number, sent: number) => `${answered} of ${sent} answered`,
  clock: 'Clock offset',
  clockText: (offset: string, uncertainty: string) => `${offset}, at most ${uncertainty} off`,
  clockMissing: 'Not measured yet',
  skew: 'Clock drift',
  skewText: (ppm: number) => `${tenths(ppm)} ppm`,
  deviceClock: 'Clock of this device',
  deviceClockText: (aheadMs: number) =>
    `${diagnosisMs(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'} the server`,
  sync: 'Sync error',
  syncText: (p50: string, p95: string) => `half below ${p50}, 95% below ${p95}`,
  buffering: 'Waiting for data',
  bufferingText: (spells: number) => (spells === 1 ? 'once in 2 minutes' : `${spells} times in 2 minutes`),
  autoplay: 'Sound',
  autoplayBlocked: 'Blocked by the browser',
  autoplayMuted: 'Turned off here',
  autoplayAllowed: 'Allowed',
  player: 'Player',
  players: {
    library: 'Decoded and scheduled',
    element: 'Audio element',
    video: 'Video player',
    streaming: 'Streaming player',
  },
  playerError: 'Player error',
  output: 'Output',
  outputText: (state: string, sampleRate: number) => `${state}, ${sampleRate} Hz`,
  outputLatency: 'Output latency',
  trackFormat: 'Format of the track',
  formats: 'Formats',
  formatDecoded: (codec: string) => codec,
  formatPlayed: (codec: string) => `${codec} (audio element only)`,
  formatMissing: (codec: string) => `${codec} (not playable)`,
  session: 'Session',
  sessions: { signed_in: 'Signed in', signed_out: 'Signed out', unreadable: 'No answer' },
  cookies: 'Cookies',
  cookiesOn: 'On',
  cookiesOff: 'Off',
  page: 'Page',
  pageCurrent: 'Up to date',
  pageOutdated: 'Out of date',
  context: 'Served',
  contextSecure: 'Over HTTPS or localhost',
  contextInsecure: 'Over plain HTTP',
}

export const syncErrorChart = {
  title: 'Sync error, last 2 minutes',
  now: 'Now',
  p50: 'Median',
  p95: '95%',
  none: '–',
  ms: (errorMs: number) => `${tenths(errorMs)} ms`,
  start: '2 min ago',
  end: 'now',
  ahead: (ms: number) => `+${ms} ms`,
  behind: (ms: number) => `−${ms} ms`,
  zero: '0',
  description: (current: string, p50: string, p95: string) =>
    `Sync error over the last 2 minutes: now ${current}, median ${p50}, 95 percent of the time below ${p95}.`,
  empty: 'No data yet. The chart starts when the room plays.',
}
