import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { productName } from '../../texts/common.ts'

/** The start of every page's title: news of the room that the user is in, whichever page is shown. */
export const titlePrefix = createStore(() => '')

/** The document's title: the name of the page, and the product's. */
export function PageTitle({ name }: { name?: string }) {
  const prefix = useStore(titlePrefix)
  return <title>{prefix + (name ? `${name} · ` : '') + productName}</title>
}
