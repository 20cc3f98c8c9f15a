import { useNavigate } from 'react-router'
import { leaveRoom } from '../../engine/current-visit.ts'

/** Returns a function that leaves the room and goes home. */
export function useLeaveRoom(): () => void {
  const navigate = useNavigate()
  return () => {
    leaveRoom()
    void navigate('/')
  }
}
