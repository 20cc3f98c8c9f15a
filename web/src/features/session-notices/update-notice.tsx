import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { callApi } from '../../api/call-api.ts'
import { pageVersion } from '../../api/page-data.ts'
import { roomVisit } from '../../engine/room-visit.ts'
import { update as texts } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'

/** A page that nobody touches asks at this interval. */
const askEveryMs = 15 * 60_000

/**
 * Says that the server has a newer page, with a button to load it (17.86). The page never reloads by itself: music may
 * play, and something may be typed.
 */
export function UpdateNotice() {
  const { isOutdated } = useStore(pageVersion)
  const [isDismissed, setDismissed] = useState(false)
  useVersionChecks()
  if (!isOutdated || isDismissed) return null
  return (
    <output className="fixed inset-x-4 top-[calc(var(--spacing-topbar)+0.5rem)] z-40 mx-auto flex w-fit items-center gap-3 rounded-xl bg-surface py-2 ps-5 pe-2 text-sm shadow-lift ring-1 ring-line ring-inset">
      <span>{texts.title}</span>
      <span className="flex gap-1">
        <Button size="sm" tone="quiet" onClick={() => setDismissed(true)}>
          {texts.later}
        </Button>
        <Button size="sm" tone="primary" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
      </span>
    </output>
  )
}

/** Asks the server whenever it may have been updated; every other answer of it states its version, too. */
function useVersionChecks(): void {
  const visit = useStore(roomVisit)
  useEffect(() => {
    const check = () => {
      if (!document.hidden) void callApi('GET /api/config', {}).catch(() => undefined)
    }
    const timer = setInterval(check, askEveryMs)
    // A chunk of the page is gone, as after an update (Vite's event), or the page was away for a while.
    const events = ['vite:preloadError', 'online'] as const
    for (const name of events) window.addEventListener(name, check)
    document.addEventListener('visibilitychange', check)
    // The server was restarted, perhaps by an update.
    const stop = visit?.store.subscribe((state, before) => {
      if (state.connection === 'connected' && before.connection !== 'connected') check()
    })
    return () => {
      clearInterval(timer)
      for (const name of events) window.removeEventListener(name, check)
      document.removeEventListener('visibilitychange', check)
      stop?.()
    }
  }, [visit])
}
