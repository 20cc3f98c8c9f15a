import type * as english from '../reactions.ts'
import type { Translated } from '../translated.ts'
import { plural } from './counted.ts'

export const reactions = {
  title: 'التفاعلات',
  names: {
    love: 'أحببته',
    fire: 'نار',
    party: 'احتفال',
    laugh: 'هاها',
    wow: 'واو',
    thumbs_up: 'إعجاب',
  },
  summary: (count) =>
    plural(count, {
      zero: 'لا تفاعلات',
      one: 'تفاعل واحد',
      two: 'تفاعلان',
      few: '# تفاعلات',
      many: '# تفاعلًا',
      other: '# تفاعل',
    }),
  failedTitle: 'خطأ',
  failedText: 'تعذّر إرسال تفاعلك.',
} satisfies Translated<typeof english.reactions>
