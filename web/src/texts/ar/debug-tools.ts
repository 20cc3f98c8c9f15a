import type * as english from '../debug-tools.ts'
import type { Translated } from '../translated.ts'

export const debugTools = {
  show: 'عرض أدوات التشخيص',
  hide: 'إخفاء أدوات التشخيص',
  region: 'أدوات التشخيص',
} satisfies Translated<typeof english.debugTools>
