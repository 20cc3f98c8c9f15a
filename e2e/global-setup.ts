import { prepareData } from './prepared-data.ts'

export default prepareData
