import { useEffect, useRef } from 'react'
import { explore as texts } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'

interface EndOfListProps {
  onReached: () => void
  isBusy: boolean
  /** Whether what follows could not be loaded. */
  isFailed: boolean
}

/** Extends the list when its end comes into view; a button serves keyboards, older browsers and another attempt. */
export function EndOfList({ onReached, isBusy, isFailed }: EndOfListProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) onReached()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
    // Mounted anew for each part of the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <div ref={end} className="mt-8 flex flex-wrap items-center justify-center gap-3">
      {isFailed && (
        <p role="alert" className="text-sm text-caution">
          {texts.moreFailed}
        </p>
      )}
      <Button isBusy={isBusy} onClick={onReached}>
        {texts.showMore}
      </Button>
    </div>
  )
}
