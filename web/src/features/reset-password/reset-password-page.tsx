import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { z } from 'zod'
import { resetPassword as texts } from '../../texts/login.ts'
import { AlertBox } from '../../ui/notices/alert-box.tsx'
import { useFocusOnNewScreen } from '../../ui/page/content-focus.ts'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { RequestForm } from './request-form.tsx'

/**
 * The page to set a new password (16.20, 16.21). Without a token, it asks for the address to which the link is sent. The
 * token is in the fragment, which browsers send to no server.
 */
export function ResetPasswordPage() {
  const { hash, state } = useLocation()
  const { email, from } = readState(state)
  const token = hash.slice(1)
  const [unusable, setUnusable] = useState<string | null>(null)
  const hasToken = token !== '' && token !== unusable
  useFocusOnNewScreen(hasToken ? 'new password' : 'request')
  return (
    <div className="mx-auto mt-8 w-full max-w-116 rounded-2xl bg-surface p-6 ring-1 ring-line ring-inset sm:mt-16 sm:p-10">
      <PageTitle name={texts.title} />
      <h1 className="mb-4 text-2xl font-semibold tracking-tight">{texts.title}</h1>
      {token !== '' && !hasToken && (
        <div className="mb-4">
          <AlertBox kind="error">
            {texts.unusable} {texts.unusableText}
          </AlertBox>
        </div>
      )}
      {hasToken ? (
        <NewPasswordForm token={token} onUnusable={() => setUnusable(token)} />
      ) : (
        <RequestForm firstEmail={email} returnPath={from} />
      )}
      <p className="mt-6 text-center text-sm">
        <Link
          to="/login"
          state={{ from }}
          className="inline-flex items-center font-medium text-brand-text hover:underline pointer-coarse:min-h-11"
        >
          {texts.backToSignIn}
        </Link>
      </p>
    </div>
  )
}

const stateSchema = z.object({ email: z.string(), from: z.string() })

/** Reads what the login page passed on: the address that was typed there, and where to go after login. */
function readState(state: unknown): z.infer<typeof stateSchema> {
  return stateSchema.safeParse(state).data ?? { email: '', from: '/' }
}
