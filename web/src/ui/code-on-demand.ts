import { useEffect, useState } from 'react'
import { common } from '../texts/common.ts'
import { loadCode } from './load-code.ts'
import { notify } from './notify.ts'

const loaders: (() => Promise<unknown>)[] = []

/**
 * Returns a hook for code that a part of the page needs only once it is used, such as that of its menu. The hook returns
 * null until the code is wanted and loaded. Where it cannot be loaded, it says so and calls `onFailed`.
 */
export function codeOnDemand<Code>(load: () => Promise<Code>) {
  let loaded: Code | null = null
  let loading: Promise<Code> | null = null
  const loadOnce = (): Promise<Code> => {
    loading ??= loadCode(load).then(
      (code) => (loaded = code),
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
  loaders.push(loadOnce)

  return function useCode(isWanted: boolean, onFailed: () => void): Code | null {
    const [code, setCode] = useState(() => loaded)
    const isMissing = isWanted && code === null && loaded === null
    useEffect(() => {
      if (!isMissing) return
      let isCurrent = true
      loadOnce().then(
        (next) => isCurrent && setCode(() => next),
        () => {
          if (!isCurrent) return
          notify({ kind: 'error', title: common.unloadedTitle, text: common.unloadedText })
          onFailed()
        },
      )
      return () => {
        isCurrent = false
      }
      // oxlint-disable-next-line react/exhaustive-deps -- a new `onFailed` is no reason to load again
    }, [isMissing])
    return isWanted ? (code ?? loaded) : null
  }
}

/** Loads all code that is loaded on demand. What fails is loaded when it is needed. */
export async function loadCodeAhead(): Promise<void> {
  await Promise.allSettled(loaders.map((load) => load()))
}
