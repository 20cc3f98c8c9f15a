import { limits } from '@earshot/core/limits'
import { useEffect, useRef, useState } from 'react'
import { refusedSession } from '../../api/refused-session.ts'
import { useSession } from '../../api/session.tsx'
import { signInElsewhere } from '../../api/sign-in-elsewhere.ts'
import { authentication } from '../../texts/common.ts'
import { authenticationTopic, notify } from '../../ui/notices/notify.ts'

/** Shows notices for sign-in and sign-out in any tab (2.40), and for an unreadable session. */
export function SessionNotices() {
  const { status, user, isUnreadable } = useSession()
  const [before] = useState(() => (signInElsewhere.isUnderWay() ? 'signed_out' : status))
  const previous = useRef(before)
  useEffect(() => signInElsewhere.end(), [])
  const name = user?.name ?? ''
  useEffect(() => {
    if ((previous.current === 'signed_out' || previous.current === 'guest') && status === 'signed_in') {
      notify({
        kind: 'success',
        topic: authenticationTopic,
        title: authentication.signedIn,
        text: authentication.welcome(name),
      })
    }
    if (previous.current === 'signed_in' && status === 'signed_out') {
      const { signedOut, sessionEnded } = authentication
      notify({ kind: 'info', title: refusedSession.getState().isOver ? signedOut : sessionEnded })
    }
    if (status !== 'loading') previous.current = status
  }, [status, name])
  useEffect(() => {
    if (!isUnreadable) return
    notify({
      kind: 'error',
      title: authentication.sessionErrorTitle,
      text: authentication.sessionErrorText,
      durationMs: limits.noticeMaxMs,
    })
  }, [isUnreadable])
  return null
}
