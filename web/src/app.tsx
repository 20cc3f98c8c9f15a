import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { matchPath, useLocation } from 'react-router'
import { useStore } from 'zustand'
import { readPageData } from './api/page-data.ts'
import { SessionProvider, useSession } from './api/session.tsx'
import { leaveRoom, leaveUnlessJoined, currentVisit } from './engine/current-visit.ts'
import { readInterruptedVisit } from './engine/interrupted-visit.ts'
import { SessionNotices } from './features/session-notices/session-notices.tsx'
import { TopBar } from './features/top-bar/top-bar.tsx'
import { common } from './texts/common.ts'
import { LoadingOverlay } from './ui/loading/loading-overlay.tsx'
import { NoticesOnDemand } from './ui/notices/notices-on-demand.tsx'
import { onDemand } from './ui/loading/on-demand.tsx'
import { contentId, focusContent } from './ui/page/content-focus.ts'
import { useScrollRestoration } from './ui/page/scroll-restoration.ts'
import { createQueryClient } from './api/queries.ts'

const roomPath = '/room/:roomId'
const callbackPath = '/callback'

const EnvironmentNotice = lazy(async () => ({
  default: (await import('./features/environment-notice/environment-notice.tsx')).EnvironmentNotice,
}))

const ClosedRoomNotice = onDemand(
  async () => (await import('./features/session-notices/closed-room-notice.tsx')).ClosedRoomNotice,
)
const RoomBar = onDemand(async () => (await import('./features/room/room-bar.tsx')).RoomBar)
const loadNotices = async () => (await import('./features/session-notices/page-notices.tsx')).PageNotices

/** The frame around every page. */
export function App({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  // The server writes all data that the page needs into it.
  const [isServed] = useState(() => readPageData() !== null)
  const { pathname } = useLocation()
  useRouteFocus()
  useScrollRestoration()
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <a
          href={`#${contentId}`}
          className="sr-only z-50 rounded-full bg-brand px-5 py-3 text-on-brand focus-visible:not-sr-only focus-visible:fixed focus-visible:start-3 focus-visible:top-3"
        >
          {common.skipToContent}
        </a>
        {!matchPath(callbackPath, pathname) && <TopBar />}
        <main
          id={contentId}
          tabIndex={-1}
          className="mx-auto w-full max-w-360 px-4 pb-16 outline-none sm:px-6 lg:px-10 with-bar:pb-[calc(var(--spacing-player)+4rem)] in-room:max-w-none in-room:p-0"
        >
          {children}
        </main>
        <VisitedRoom />
        <SessionNotices />
        <LoadingOverlay />
        <NoticesOnDemand load={loadNotices} />
        {!isServed && (
          <Suspense>
            <EnvironmentNotice />
          </Suspense>
        )}
      </SessionProvider>
    </QueryClientProvider>
  )
}

/**
 * Shows the room that the user is in on every page but its own, and leaves it when the user signs out (17.3). A page that
 * was loaded anew goes on with the visit that the one before was in (17.453).
 */
function VisitedRoom() {
  const visit = useStore(currentVisit)
  const { status, user } = useSession()
  const { pathname } = useLocation()
  const shownRoomId = matchPath(roomPath, pathname)?.params.roomId
  const isElsewhere = visit !== null && visit.roomId !== shownRoomId
  const isBarPage = shownRoomId === undefined && !matchPath(callbackPath, pathname)
  const isInRoom = visit !== null || (user !== null && readInterruptedVisit() !== null)
  useEffect(() => {
    if (isElsewhere) leaveUnlessJoined(visit)
  }, [isElsewhere, visit])
  useEffect(() => {
    const visitorId = currentVisit.getState()?.userId
    if (status === 'signed_out' || (user && visitorId && visitorId !== user.id)) leaveRoom()
  }, [status, user])
  return (
    <>
      {visit && <ClosedRoomNotice />}
      {isInRoom && isBarPage && <RoomBar visit={visit} />}
    </>
  )
}

/** Moves the focus to the start of the content after navigation, for keyboards and screen readers. */
function useRouteFocus(): void {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    // Unless the page has a field of its own for it.
    if (document.activeElement?.matches(`#${contentId} input`)) return
    focusContent()
  }, [pathname])
}
