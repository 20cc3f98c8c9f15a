/** For the pages outside of a room: the click that opens a room also allows its sound. */
export { unlockAudio as unlockSound } from '../players/library/output/audio-context.ts'
