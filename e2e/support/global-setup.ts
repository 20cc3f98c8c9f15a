import { prepareData } from './prepared-data.ts'

// oxlint-disable-next-line import/no-default-export -- Playwright takes it as this.
export default prepareData
