import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Routes, useLocation, useMatch } from 'react-router'
import { useSession } from './api/session.tsx'
import { App } from './app.tsx'
import { HomePage } from './features/home/home-page.tsx'
import { BrokenPage } from './features/not-found/broken-page.tsx'
import { NotFoundPage } from './features/not-found/not-found-page.tsx'
import { loadCode } from './ui/load-code.ts'
import { common } from './texts/common.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { showLoading } from './ui/loading-overlay.tsx'
import { useRootMark } from './ui/root-mark.ts'

/** A page whose code loads on demand. Until then the page before it stays; where that takes long, it says so (17.108b). */
const page = (load: () => Promise<ComponentType>) =>
  lazy(async () => {
    // Later than the rendering that needs the page: it must not change what is drawn.
    const timer = setTimeout(() => showLoading(common.loading))
    try {
      return { default: await loadCode(load) }
    } finally {
      clearTimeout(timer)
      showLoading(null)
    }
  })

const CreateRoomPage = page(
  async () => (await import('./features/create-room/create-room-page.tsx')).CreateRoomPage,
)
const LoginPage = page(async () => (await import('./features/login/login-page.tsx')).LoginPage)
const ResetPasswordPage = page(
  async () => (await import('./features/reset-password/reset-password-page.tsx')).ResetPasswordPage,
)
const RoomPage = page(async () => (await import('./features/room/room-page.tsx')).RoomPage)
const ExplorePage = page(async () => (await import('./features/home/explore-page.tsx')).ExplorePage)
const ProfilePage = page(async () => (await import('./features/profile/profile-page.tsx')).ProfilePage)
const CallbackPage = page(async () => (await import('./features/callback/callback-page.tsx')).CallbackPage)
const SpotifyTestPage = page(
  async () => (await import('./features/spotify-test/spotify-test-page.tsx')).SpotifyTestPage,
)
const AdminPage = page(async () => {
  const { AdminPage: Page } = await import('./features/admin/admin-page.tsx')
  return () => <Page fallback={<NotFoundPage />} />
})

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

/** A page that fails leaves the frame; the next address shows its own. */
function PageOfAddress() {
  const { pathname } = useLocation()
  return (
    // Outside of what each address has anew: only what is shown already stays while the next page loads.
    <Suspense fallback={<Frame />}>
      <ErrorBoundary key={pathname} fallback={(_retry, error) => <BrokenPage error={error} />}>
        <Routes>
          <Route path="/" element={<HomePage />} />
          <Route path="/create-room" element={<CreateRoomPage />} />
          <Route path="/login" element={<LoginPage />} />
          <Route path="/reset-password" element={<ResetPasswordPage />} />
          <Route path="/room/:roomId" element={<RoomPage />} />
          <Route path="/explore" element={<ExplorePage />} />
          <Route path="/profile" element={<ProfilePage />} />
          <Route path="/callback" element={<CallbackPage />} />
          <Route path="/spotify-test" element={<SpotifyTestPage />} />
          <Route path="/admin" element={<AdminPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </ErrorBoundary>
    </Suspense>
  )
}

/** Until a member's room is loaded, its frame: the top bar is lower in a room and must not move. */
function Frame() {
  const { status } = useSession()
  const isMembersRoom = useMatch('/room/:roomId') !== null && (status === 'signed_in' || status === 'guest')
  useRootMark('room', isMembersRoom)
  return isMembersRoom ? <div className="room-grid" /> : null
}
