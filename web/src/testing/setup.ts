import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { fetchFromContract, forgetAnswers } from './contract-network.ts'

globalThis.fetch = fetchFromContract
// jsdom has no layout and so nothing to scroll.
window.scrollTo = () => undefined
// A busy machine may take its time; nothing waits longer than it has to.
configure({ asyncUtilTimeout: 5_000 })

beforeEach(() => forgetAnswers())
afterEach(() => cleanup())
