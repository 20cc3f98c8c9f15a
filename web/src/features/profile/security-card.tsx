import { useState } from 'react'
import { emailChange, security as texts, sessions } from '../../texts/profile.ts'
import { signOutElsewhere } from '../../api/password.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { ChangeEmailForm } from './change-email-form.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DeleteAccountForm } from './delete-account-form.tsx'
import { SessionList } from './session-list.tsx'

/** Changes the password, ends other sessions, and deletes the account (16.23 to 16.25). */
export function SecurityCard() {
  const [open, setOpen] = useState<'password' | 'email' | 'sessions' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card title={texts.title}>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setOpen('password')}>{texts.changePassword}</Button>
        <Button onClick={() => setOpen('email')}>{emailChange.open}</Button>
        <Button onClick={() => setOpen('sessions')}>{sessions.show}</Button>
        <SignOutElsewhere />
        <Button tone="quiet" onClick={() => setOpen('delete')}>
          {texts.delete}
        </Button>
      </div>
      <Dialog isOpen={open === 'password'} onClose={close} title={texts.changePassword}>
        <ChangePasswordForm onDone={close} />
      </Dialog>
      <Dialog isOpen={open === 'email'} onClose={close} title={emailChange.open}>
        <ChangeEmailForm onDone={close} />
      </Dialog>
      <Dialog isOpen={open === 'sessions'} onClose={close} title={sessions.title}>
        <SessionList />
      </Dialog>
      <Dialog isOpen={open === 'delete'} onClose={close} title={texts.deleteTitle}>
        <DeleteAccountForm />
      </Dialog>
    </Card>
  )
}

function SignOutElsewhere() {
  const [isBusy, setBusy] = useState(false)
  const signOut = async () => {
    setBusy(true)
    const failure = await signOutElsewhere()
    setBusy(false)
    if (failure) notify({ kind: 'error', title: texts.signOutFailed, text: failure.message ?? undefined })
    else notify({ kind: 'success', title: texts.signedOutElsewhere })
  }
  return (
    <Button isBusy={isBusy} onClick={() => void signOut()}>
      {texts.signOutElsewhere}
    </Button>
  )
}
