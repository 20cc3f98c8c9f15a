import { limits } from '@earshot/core/limits'
import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../../storage.ts'
import { productName, splash } from '../../texts/common.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Spinner } from '../../ui/loading/spinner.tsx'

// public/first-paint.js reads it too.
const visitedKey = 'visited:v1'

/** Covers the page for the first two seconds of a browser's first visit (2.9a), counted from the document's own splash. */
export function Splash() {
  const [isShown, setShown] = useState(isFirstVisit)
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), limits.splashMs - paintedForMs())
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    // As in index.html, whose splash it takes over from: the same classes of splash.css.
    <output className="splash">
      <BrandMark className="splash-mark" />
      <span className="splash-name">{productName}</span>
      <span className="splash-text">
        <Spinner className="splash-spinner" />
        {splash.text}
      </span>
    </output>
  )
}

/** How long the document's splash has been in sight, which a slow line lengthens. 0 where the browser does not tell. */
function paintedForMs(): number {
  const [painted] = performance.getEntriesByName('first-contentful-paint')
  return painted ? performance.now() - painted.startTime : 0
}

/** Once for each browser. One that keeps nothing is always on a later visit: better no splash than one on every page. */
const isFirstVisit = (): boolean =>
  readStored('device', visitedKey) === null && writeStored('device', visitedKey, '1')
