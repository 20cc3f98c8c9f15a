import { readStored, writeStored } from '../storage.ts'

const key = 'sign-in-elsewhere:v1'

/** A sign-in for which this tab leaves the page, and which has happened when it is back. */
export const signInElsewhere = {
  begin: () => void writeStored('tab', key, '1'),
  isUnderWay: () => readStored('tab', key) !== null,
  end: () => void writeStored('tab', key, null),
}
