import { Link, useLocation } from 'react-router'
import { authentication } from '../../../texts/common.ts'
import { door as texts } from '../../../texts/door.ts'
import { buttonLook } from '../../../ui/controls/button.tsx'

/** Links to sign in and to create an account, which lead back to the room with the invite. */
export function AccountLinks({ isPrimary = false }: { isPrimary?: boolean }) {
  const { pathname } = useLocation()
  // With the fragment: it may hold an invite.
  const state = { from: `${pathname}${window.location.hash}`, message: authentication.joinNeedsLogin }
  const toSignUp = { ...state, tab: 'sign-up' }
  if (isPrimary) {
    return (
      <div className="flex flex-col gap-3 sm:flex-row">
        <Link
          to="/login"
          state={state}
          className={buttonLook({ tone: 'primary', size: 'lg', class: 'sm:flex-1' })}
        >
          {texts.signIn}
        </Link>
        <Link to="/login" state={toSignUp} className={buttonLook({ size: 'lg', class: 'sm:flex-1' })}>
          {texts.createAccount}
        </Link>
      </div>
    )
  }
  const look = 'inline-flex min-h-11 items-center font-medium text-brand-text hover:underline'
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-4 text-sm text-ink-muted max-md:justify-center low:justify-start">
      {texts.orAccount}
      <Link to="/login" state={state} className={look}>
        {texts.signIn}
      </Link>
      <Link to="/login" state={toSignUp} className={look}>
        {texts.createAccount}
      </Link>
    </p>
  )
}
