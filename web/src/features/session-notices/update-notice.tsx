import { dayMs, minuteMs } from '@earshot/core/clock'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { callApi } from '../../api/call-api.ts'
import { pageVersion } from '../../api/page-data.ts'
import { currentVisit } from '../../engine/current-visit.ts'
import { common, update as texts } from '../../texts/common.ts'
import { Button } from '../../ui/controls/button.tsx'
import { noticesPlace } from '../../ui/notices/notices-place.ts'

/** A page that nobody touches asks at this interval. */
const askEveryMs = 15 * minuteMs
const laterMs = dayMs

/** Not over its links, which it would cover until it is dismissed. A room leaves it no other place. */
const belowTopBar = 'top-[calc(var(--spacing-topbar)+0.5rem)] in-room:top-0'

/**
 * Says that the server has a newer page, with a button to load it (17.86). The page never reloads by itself: music may
 * play, and something may be typed. It waits while the listen mode is open.
 */
export function UpdateNotice() {
  const { newer } = useStore(pageVersion)
  const { isTopBar } = useStore(noticesPlace)
  const [dismissed, setDismissed] = useState<string | null>(null)
  const showAgain = () => setDismissed(null)
  useVersionChecks(showAgain)
  useEffect(() => {
    if (dismissed === null) return
    const timer = setTimeout(showAgain, laterMs)
    return () => clearTimeout(timer)
  }, [dismissed])
  if (newer === null || newer === dismissed) return null
  return (
    <output
      className={`fixed inset-x-4 z-40 mx-auto mt-0.5 ${isTopBar ? 'top-0' : belowTopBar} flex min-h-11 w-fit items-center gap-3 rounded-xl bg-surface ps-5 pe-2 text-xs/4 shadow-lift ring-1 ring-line ring-inset full-screen:hidden`}
    >
      <span>{texts.title}</span>
      <span className="flex gap-1">
        <Button size="sm" tone="quiet" onClick={() => setDismissed(newer)}>
          {texts.later}
        </Button>
        <Button size="sm" tone="primary" onClick={() => window.location.reload()}>
          {common.reload}
        </Button>
      </span>
    </output>
  )
}

/** Asks the server whenever it may have been updated; every other answer of it states its version, too. */
function useVersionChecks(onMissingCode: () => void): void {
  const visit = useStore(currentVisit)
  useEffect(() => {
    const check = () => {
      if (!document.hidden) void callApi('GET /api/config', {}).catch(() => undefined)
    }
    // Missing code is asked for again and again.
    let isMissed = false
    // A chunk of the page is gone, as after an update (Vite's event).
    const onMissing = () => {
      if (isMissed) return
      isMissed = true
      onMissingCode()
      check()
    }
    const timer = setInterval(() => {
      isMissed = false
      check()
    }, askEveryMs)
    window.addEventListener('vite:preloadError', onMissing)
    // The page was away for a while.
    window.addEventListener('online', check)
    document.addEventListener('visibilitychange', check)
    // The server was restarted, perhaps by an update.
    const stop = visit?.store.subscribe((state, before) => {
      if (state.connection === 'connected' && before.connection !== 'connected') check()
    })
    return () => {
      clearInterval(timer)
      window.removeEventListener('vite:preloadError', onMissing)
      window.removeEventListener('online', check)
      document.removeEventListener('visibilitychange', check)
      stop?.()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- every `onMissingCode` does the same
  }, [visit])
}
