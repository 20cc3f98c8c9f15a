import type { ProfileStats } from '@earshot/core/protocol/providers'
import { screen, within } from '@testing-library/react'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { makeProfile, makeSources, makeSpotify, makeYoutube } from '../../../testing/samples.ts'

/** Answers the calls of the profile for a user without connections. */
export const answerProfileCalls = (stats: ProfileStats): void =>
  answerCalls({
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/sources': () => ({ sources: makeSources({ spotify: true }) }),
    'GET /api/profile': () => ({ profile: makeProfile() }),
    'GET /api/profile/stats': () => ({ stats }),
    'GET /api/spotify': () => ({ connection: makeSpotify() }),
    'GET /api/youtube': () => ({ connection: makeYoutube() }),
  })

/** Opens the profile, signed in. */
export const openProfile = () => renderApp({ path: '/profile', isSignedIn: true })

/** Finds a part of the page by its title. */
export const region = async (name: string) => within(await screen.findByRole('region', { name }))
