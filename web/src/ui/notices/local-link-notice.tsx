import { localLink } from '../../texts/environment.ts'
import { AlertBox } from './alert-box.tsx'

/** Says that a link works on this computer only, and what to do. */
export function LocalLinkNotice() {
  return <AlertBox kind="warning">{localLink.text}</AlertBox>
}
