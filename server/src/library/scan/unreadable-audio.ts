/** A file without audio that browsers play. The message is for the operator of the music folder. */
export class UnreadableAudioError extends Error {
  override name = 'UnreadableAudioError'
}
