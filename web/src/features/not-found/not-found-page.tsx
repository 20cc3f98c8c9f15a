import { Compass } from 'lucide-react'
import { Link } from 'react-router'
import { common, productName } from '../../texts/common.ts'
import { buttonLook } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <>
      <title>{`${common.pageNotFound} · ${productName}`}</title>
      <h1 className="sr-only">{common.pageNotFound}</h1>
      <EmptyState
        icon={Compass}
        title={common.pageNotFound}
        text={common.pageNotFoundText}
        className="min-h-[60dvh]"
      >
        <Link to="/" className={buttonLook({ tone: 'primary' })}>
          {common.returnHome}
        </Link>
      </EmptyState>
    </>
  )
}
