import { useEffect, useRef } from 'react'
import { home as texts } from '../../texts/home.ts'
import { Button } from '../../ui/controls/button.tsx'

/** Extends the list when its end comes into view; a button serves keyboards and older browsers. */
export function EndOfList({ onReached, isBusy }: { onReached: () => void; isBusy: boolean }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || !('IntersectionObserver' in window)) return
    // A busy page gets several observations at once.
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onReached()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
    // Mounted anew for each part of the list.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <div ref={end} className="mt-8 flex justify-center">
      <Button isBusy={isBusy} onClick={onReached}>
        {texts.showMore}
      </Button>
    </div>
  )
}
