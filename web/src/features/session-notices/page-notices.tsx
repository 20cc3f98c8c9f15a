import { Notices } from '../../ui/notices/notices.tsx'
import { UpdateNotice } from './update-notice.tsx'

/** The notices of every page, which load after the first screen. */
export function PageNotices() {
  return (
    <>
      <Notices />
      <UpdateNotice />
    </>
  )
}
