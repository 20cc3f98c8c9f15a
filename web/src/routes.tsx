import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { matchPath, Route, Routes, useLocation } from 'react-router'
import { readPageData } from './api/page-data.ts'
import { App } from './app.tsx'
import { HomePage } from './features/home/home-page.tsx'
import { BrokenPage, NotFoundPage } from './features/not-found/error-pages.tsx'
import { lazyCode, loadCode } from './ui/loading/load-code.ts'
import { common } from './texts/common.ts'
import { ErrorBoundary } from './ui/loading/error-boundary.tsx'
import { showLoading } from './ui/loading/loading-overlay.tsx'

/** A page whose code loads on demand. Until then the page before it stays; where that takes long, it says so (17.108b). */
function page(load: () => Promise<ComponentType>) {
  const code = lazyCode(async () => {
    // Later than the rendering that needs the page: it must not change what is drawn.
    const timer = setTimeout(() => showLoading(common.loading))
    try {
      return await loadCode(load)
    } finally {
      clearTimeout(timer)
      showLoading(null)
    }
  })
  function Page() {
    const [Shown] = useState(code.current)
    return <Shown />
  }
  return { Page, ...code }
}

const pages = {
  '/create-room': page(
    async () => (await import('./features/create-room/create-room-page.tsx')).CreateRoomPage,
  ),
  '/login': page(async () => (await import('./features/login/login-page.tsx')).LoginPage),
  '/reset-password': page(
    async () => (await import('./features/reset-password/reset-password-page.tsx')).ResetPasswordPage,
  ),
  '/room/:roomId': page(async () => {
    // A visitor sees the door, whose code members do not need.
    const isVisitor = readPageData()?.user === null
    const [{ RoomPage, loadDoor }] = await Promise.all([
      import('./features/room/room-page.tsx'),
      isVisitor && import('./features/room/door/door.tsx'),
    ])
    if (isVisitor) await loadDoor()
    return RoomPage
  }),
  '/explore': page(async () => (await import('./features/home/explore-page.tsx')).ExplorePage),
  '/profile': page(async () => (await import('./features/profile/profile-page.tsx')).ProfilePage),
  '/callback': page(async () => (await import('./features/callback/callback-page.tsx')).CallbackPage),
  '/spotify-test': page(
    async () => (await import('./features/spotify-test/spotify-test-page.tsx')).SpotifyTestPage,
  ),
  '/admin': page(async () => {
    const { AdminPage: Page } = await import('./features/admin/admin-page.tsx')
    return () => <Page fallback={<NotFoundPage />} />
  }),
}

/** Loads the code of the page at an address. Resolves also where that fails, which the page then says. */
export async function loadPageAt(pathname: string): Promise<void> {
  const [, found] = Object.entries(pages).find(([path]) => matchPath(path, pathname)) ?? []
  await found?.loadOnce().catch(() => undefined)
}

/** The pages of section 2 in their frame. Home is part of the first load, the others load on demand. */
export function Pages() {
  return (
    <ErrorBoundary fallback={(_retry, error) => <BrokenPage error={error} />}>
      <App>
        <PageOfAddress />
      </App>
    </ErrorBoundary>
  )
}

/** Shows a failure, and only then lets the page load again: before, React would retry without end. */
function FailedPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  useEffect(() => Object.values(pages).forEach(({ renew }) => renew()), [])
  return <BrokenPage error={error} onRetry={onRetry} />
}

/** A page that fails leaves the frame; the next address shows its own. */
function PageOfAddress() {
  const { pathname } = useLocation()
  return (
    // Outside of what each address has anew: only what is shown already stays while the next page loads.
    <Suspense>
      <ErrorBoundary key={pathname} fallback={(retry, error) => <FailedPage error={error} onRetry={retry} />}>
        <Routes>
          <Route path="/" element={<HomePage />} />
          {Object.entries(pages).map(([path, { Page }]) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </ErrorBoundary>
    </Suspense>
  )
}
