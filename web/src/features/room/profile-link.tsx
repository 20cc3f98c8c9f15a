import { playability as texts } from '../../texts/find-music.ts'
import { buttonLook } from '../../ui/controls/button.tsx'

/** Opens the profile in a new tab: leaving the room's page would leave the room. */
export function ProfileLink() {
  return (
    <a href="/profile" target="_blank" rel="noopener" className={buttonLook({ size: 'sm', tone: 'soft' })}>
      {texts.toProfile}
    </a>
  )
}
