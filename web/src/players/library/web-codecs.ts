/** Whether WebCodecs exist: only in a secure context, so not on plain http in a home network. */
export function canDecodeAndSchedule(): boolean {
  return window.isSecureContext && 'AudioDecoder' in window && 'getOutputTimestamp' in AudioContext.prototype
}
