import { limits } from '@earshot/core/limits'
import { useEffect, useRef } from 'react'
import { useSession } from '../../api/session.tsx'
import { authentication, login } from '../../texts.ts'
import { notify } from '../../ui/notify.ts'

/** Says when somebody signed in or out, in this tab or another one (2.40), and when the session cannot be read. */
export function SessionNotices() {
  const { status, user, isUnreadable } = useSession()
  const before = useRef(status)
  const name = user?.name ?? ''
  useEffect(() => {
    if (before.current === 'signed_out' && status === 'signed_in') {
      notify({ kind: 'success', title: login.loginSuccess, text: authentication.welcome(name) })
    }
    if (before.current === 'signed_in' && status === 'signed_out') {
      notify({ kind: 'info', title: authentication.signedOut })
    }
    before.current = status
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
