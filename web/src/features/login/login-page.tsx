import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../../api/session.tsx'
import { authentication, login, productName } from '../../texts.ts'
import { notify } from '../../ui/notify.ts'
import { LoginCard } from './login-card.tsx'
import { LoginHero } from './login-hero.tsx'
import { readLoginState } from './login-state.ts'

/** Sign in and sign up (2.30); who is signed in goes on to where they came from. */
export function LoginPage() {
  const { from, message } = readLoginState(useLocation().state)
  const { status } = useSession()
  const navigate = useNavigate()
  useEffect(() => {
    if (message !== null) notify({ kind: 'info', title: authentication.requiredNotice, text: message })
  }, [message])
  useEffect(() => {
    if (status === 'signed_in') void navigate(from, { replace: true })
  }, [status, from, navigate])
  return (
    <div className="mt-4 grid gap-6 sm:mt-6 lg:min-h-[calc(100dvh-var(--spacing-topbar)-6.5rem)] lg:grid-cols-[1.15fr_1fr]">
      <title>{`${login.title} · ${productName}`}</title>
      <LoginHero />
      <LoginCard />
    </div>
  )
}
