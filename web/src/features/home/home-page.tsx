import { useState } from 'react'
import { home, productName } from '../../texts.ts'
import { Hero } from './hero.tsx'
import { RoomList } from './room-list.tsx'
import { RoomSearch } from './room-search.tsx'

/** The Available Rooms list (2.1). */
export function HomePage() {
  const [query, setQuery] = useState('')
  return (
    <>
      <title>{productName}</title>
      <Hero />
      <section aria-labelledby="rooms-title" className="mt-10 sm:mt-14">
        <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <h2 id="rooms-title" className="text-2xl font-semibold tracking-tight">
            {home.title}
          </h2>
          <RoomSearch query={query} onChange={setQuery} />
        </div>
        <RoomList query={query} />
      </section>
    </>
  )
}
