import { Compass } from 'lucide-react'
import { Link } from 'react-router'
import { common } from '../../texts/common.ts'
import { buttonLook } from '../../ui/controls/button.tsx'
import { PageNotice } from '../../ui/notices/page-notice.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <>
      <PageTitle name={common.pageNotFound} />
      <PageNotice icon={Compass} title={common.pageNotFound} text={common.pageNotFoundText}>
        <Link to="/" className={buttonLook({ tone: 'primary' })}>
          {common.returnHome}
        </Link>
      </PageNotice>
    </>
  )
}
