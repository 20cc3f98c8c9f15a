import type { ReactNode } from 'react'
import { room } from '../../texts/room.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'

interface CardBoundaryProps {
  /** Of the card. */
  title: string
  children: ReactNode
}

/** Confines an error in rendering to one card of the room (12.4b). */
export function CardBoundary({ title, children }: CardBoundaryProps) {
  return (
    <ErrorBoundary
      fallback={(retry) => (
        <Card title={title}>
          <TryAgain title={room.partFailed} onRetry={retry} />
        </Card>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
