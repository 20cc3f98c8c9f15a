import { useLayoutEffect } from 'react'
import { useSession } from '../../api/session.tsx'
import { resumeVisit } from '../../engine/resume-visit.ts'

/** Goes on with the visit that the load of another page interrupted (17.453). Draws nothing: the room's bar does. */
export function ResumedVisit() {
  const userId = useSession().user?.id
  useLayoutEffect(() => {
    if (userId !== undefined) resumeVisit(userId)
  }, [userId])
  return null
}
