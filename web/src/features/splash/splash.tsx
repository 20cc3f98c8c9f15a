import { limits } from '@earshot/core/limits'
import { useEffect, useState } from 'react'
import { productName, splash } from '../../texts/common.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const visitedKey = 'earshot-visited'

/** Covers the page for the first two seconds of a browser's first visit (2.9a); the page loads underneath. */
export function Splash() {
  const [isShown, setShown] = useState(isFirstVisit)
  useEffect(() => {
    rememberVisit()
    const timer = setTimeout(() => setShown(false), limits.splashMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <output className="fixed inset-0 z-60 flex flex-col items-center justify-center gap-6 bg-page">
      <BrandMark className="size-16" />
      <span className="text-headline font-semibold tracking-tight">{productName}</span>
      <span className="flex items-center gap-3 text-ink-muted">
        <Spinner className="size-5 text-brand-text" />
        {splash.text}
      </span>
    </output>
  )
}

/** A browser that keeps nothing is always on its second visit: better no splash than one on every page. */
function isFirstVisit(): boolean {
  try {
    return localStorage.getItem(visitedKey) === null
  } catch {
    return false
  }
}

function rememberVisit(): void {
  try {
    localStorage.setItem(visitedKey, '1')
  } catch {
    // The storage is full or forbidden.
  }
}
