import type { SourceStatus } from '@earshot/core/protocol/entities'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { makeSources } from '../../../testing/samples.ts'
import { deliverNotices } from '../../../ui/notices/notify.ts'
import { MusicSearch } from './music-search.tsx'
import { SourceToggle } from './source-toggle.tsx'

function Search({ onSearch }: { onSearch: (searchText: string) => void }) {
  const [typed, setTyped] = useState('')
  return <MusicSearch source="library" typed={typed} onType={setTyped} hasResults onSearch={onSearch} />
}

function renderSearch() {
  const searched: string[] = []
  render(<Search onSearch={(words) => searched.push(words)} />)
  return { searched, box: screen.getByPlaceholderText('Search for music...') }
}

it('2.26b Enter and the button search; the hint names the source', () => {
  const { searched, box } = renderSearch()
  expect(screen.getByText('Searching Library - Press Enter to search')).toBeDefined()
  fireEvent.change(box, { target: { value: ' ferry ' } })
  fireEvent.submit(box)
  fireEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(searched).toEqual(['ferry', 'ferry'])
})

it('5.5 a blank query does nothing', () => {
  const { searched, box } = renderSearch()
  fireEvent.submit(box)
  fireEvent.change(box, { target: { value: '   ' } })
  fireEvent.submit(box)
  expect(searched).toEqual([])
})

it('clearing the field returns to the library', () => {
  const { searched, box } = renderSearch()
  fireEvent.change(box, { target: { value: 'x' } })
  fireEvent.change(box, { target: { value: '' } })
  expect(searched).toEqual([''])
})

it('2.26a, 17.66 offers the sources that work; a single one needs no choice', () => {
  const toggle = (sources: SourceStatus[]) => (
    <SourceToggle sources={sources} value="library" onChange={() => undefined} />
  )
  const { rerender } = render(toggle(makeSources({ spotify: true })))
  expect(screen.getAllByRole('radio')).toHaveLength(2)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Library' }).checked).toBe(true)
  expect(screen.queryByText(/YouTube/)).toBeNull()
  rerender(toggle(makeSources()))
  expect(screen.queryByRole('radio')).toBeNull()
})

it('15.30 several links are opened together', () => {
  const { searched, box } = renderSearch()
  fireEvent.change(box, { target: { value: 'One: youtu.be/OK_00000001 two: https://youtu.be/OK_00000002' } })
  fireEvent.submit(box)
  expect(searched).toEqual(['https://youtu.be/OK_00000001 https://youtu.be/OK_00000002'])
})

it('17.481 a text that is longer than a search may be is not searched for, and says so', () => {
  const { searched, box } = renderSearch()
  const shown: string[] = []
  onTestFinished(deliverNotices({ show: ({ title }) => shown.push(title), close: () => undefined }))
  fireEvent.change(box, { target: { value: 'x'.repeat(201) } })
  fireEvent.submit(box)
  expect(searched).toEqual([])
  expect(shown).toEqual(['This is too long to search for'])
})
