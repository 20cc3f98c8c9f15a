import type { RouteObject } from 'react-router'
import { App } from './app.tsx'
import { HomePage } from './features/home/home-page.tsx'
import { BrokenPage } from './features/not-found/broken-page.tsx'
import { NotFoundPage } from './features/not-found/not-found-page.tsx'

/** Pauses before the second and the third attempt. */
const retryAfterMs = [1_000, 3_000]

/** Loads the code of a page; tries again where that fails, since a line may drop for a moment (12.8). */
async function load<Module>(importModule: () => Promise<Module>): Promise<Module> {
  for (const ms of retryAfterMs) {
    try {
      return await importModule()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  return importModule()
}

/** The pages of section 2. Home is part of the first load, the others load on demand. */
export const routes: RouteObject[] = [
  {
    Component: App,
    ErrorBoundary: BrokenPage,
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: BrokenPage,
        children: [
          { path: '/', Component: HomePage },
          {
            path: '/create-room',
            lazy: async () => ({
              Component: (await load(() => import('./features/create-room/create-room-page.tsx')))
                .CreateRoomPage,
            }),
          },
          {
            path: '/login',
            lazy: async () => ({
              Component: (await load(() => import('./features/login/login-page.tsx'))).LoginPage,
            }),
          },
          {
            path: '/reset-password',
            lazy: async () => ({
              Component: (await load(() => import('./features/reset-password/reset-password-page.tsx')))
                .ResetPasswordPage,
            }),
          },
          {
            path: '/room/:roomId',
            lazy: async () => ({
              Component: (await load(() => import('./features/room/room-page.tsx'))).RoomPage,
            }),
          },
          {
            path: '/explore',
            lazy: async () => ({
              Component: (await load(() => import('./features/home/explore-page.tsx'))).ExplorePage,
            }),
          },
          {
            path: '/profile',
            lazy: async () => ({
              Component: (await load(() => import('./features/profile/profile-page.tsx'))).ProfilePage,
            }),
          },
          {
            path: '/callback',
            lazy: async () => ({
              Component: (await load(() => import('./features/callback/callback-page.tsx'))).CallbackPage,
            }),
          },
          {
            path: '/spotify-test',
            lazy: async () => ({
              Component: (await load(() => import('./features/spotify-test/spotify-test-page.tsx')))
                .SpotifyTestPage,
            }),
          },
          {
            path: '/admin',
            lazy: async () => {
              const { AdminPage } = await load(() => import('./features/admin/admin-page.tsx'))
              return { Component: () => <AdminPage fallback={<NotFoundPage />} /> }
            },
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]
