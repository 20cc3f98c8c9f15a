import { useEffect, useEffectEvent } from 'react'

/** Calls back before every frame that the browser draws, while the component is there and the page is visible. */
export function useFrames(draw: () => void): void {
  const drawLatest = useEffectEvent(draw)
  useEffect(() => {
    let frame = 0
    const loop = () => {
      drawLatest()
      frame = requestAnimationFrame(loop)
    }
    loop()
    return () => cancelAnimationFrame(frame)
  }, [])
}
