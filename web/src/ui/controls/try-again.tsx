import { CircleAlert } from 'lucide-react'
import { common } from '../../texts/common.ts'
import { Button } from './button.tsx'
import { EmptyState } from '../empty-state.tsx'

interface TryAgainProps {
  title: string
  text?: string
  onRetry: () => void
  /** Offers to reload the page, too. */
  canReload?: boolean
  className?: string
}

/** Says what failed, with a button to try again. */
export function TryAgain({ title, text, onRetry, canReload, className }: TryAgainProps) {
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title={title} text={text} className={className}>
        <Button onClick={onRetry}>{common.tryAgain}</Button>
        {canReload && <Button onClick={() => window.location.reload()}>{common.reload}</Button>}
      </EmptyState>
    </div>
  )
}
