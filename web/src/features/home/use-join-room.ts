import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.tsx'
import { authentication } from '../../texts.ts'
import { notify } from '../../ui/notify.ts'

/** Opens a room; who is signed out signs in first and then gets there (2.16). */
export function useJoinRoom(): (roomId: string) => void {
  const navigate = useNavigate()
  const { status } = useSession()
  return (roomId) => {
    const address = `/room/${roomId}`
    if (status !== 'signed_out') return void navigate(address)
    notify({ kind: 'warning', title: authentication.requiredWarning, text: authentication.joinNeedsLogin })
    return void navigate('/login', { state: { from: address } })
  }
}
