import { useNavigate } from 'react-router'
import { signOut } from '../../api/sign-in.ts'
import { authentication } from '../../texts/common.ts'
import { notify } from '../notices/notify.ts'

/** Returns a function that signs out and goes home, or says why it could not. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const failure = await signOut()
    if (failure)
      notify({ kind: 'error', title: authentication.signOutFailed, text: failure.message ?? undefined })
    else await navigate('/')
  }
}
