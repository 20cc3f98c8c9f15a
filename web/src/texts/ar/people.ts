import type { Activity } from '@earshot/core/protocol/activity'
import type * as english from '../people.ts'
import type { Translated } from '../translated.ts'
import { ofTracks, others, people as countedPeople } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

const roomNamed = (name: string | undefined) => (name === undefined ? 'هذه الغرفة' : isolate`«${name}»`)
const tracksNamed = (title: string | undefined, count: number) =>
  count > 1 || title === undefined ? ofTracks(count) : isolate`«${title}»`

export const people = {
  kickedTitle: (room) => `تمت إزالتك من ${roomNamed(room)}`,
  kickedText: 'أزالك مالك الغرفة. يمكنك الانضمام من جديد.',
  bannedTitle: (room) => `أنت محظور من ${roomNamed(room)}`,
  bannedText: 'هذا قرار مالك الغرفة، وله أن يتراجع عنه. حتى ذلك الحين لا يمكنك الانضمام.',
  joinAgain: 'الانضمام من جديد',
  guest: 'ضيف',
  hasControls: 'لديه التحكم',
  showMore: (count) => `عرض المزيد (${count})`,
  moreFailed: 'تعذّر تحميل المزيد من الأشخاص. يُرجى المحاولة مرة أخرى.',
  actionsFor: (name) => isolate`إزالة ${name}`,
  notListening: 'لا قياسات بعد',
  ring: 'الموجودون في الغرفة',
  others,
  plus: (count) => isolate`${`+${count}`}`,
  alone: 'أنت وحدك هنا',
  invite: 'دعوة أشخاص',
  diagnose: 'فحص الصوت لديّ',
  causes: {
    in_sync: 'يصل صوت الغرفة في اللحظة الصحيحة.',
    correcting: 'يقترب من موضع الغرفة.',
    buffering: 'بانتظار تحميل الموسيقى.',
    ad: 'يُعرض إعلان. الغرفة مستمرة.',
    hidden: 'الصفحة في الخلفية، حيث تبطئها المتصفحات.',
    blocked: 'ينتظر المتصفح نقرة قبل تشغيل الصوت.',
    unplayable: 'لا يستطيع هذا الجهاز تشغيل المقطع.',
    no_clock: 'جارٍ قياس الفرق عن ساعة الخادم.',
    paused: 'لا شيء يعمل.',
  },
} satisfies Translated<typeof english.people>

export function describeActivity({ kind, user, title, count = 1 }: Activity, isOwn: boolean): string | null {
  const name = user?.username ?? 'الغرفة'
  switch (kind) {
    case 'added':
      return line(isOwn, name, 'أضفت', 'أضاف', tracksNamed(title, count))
    case 'removed':
      return line(isOwn, name, 'أزلت', 'أزال', tracksNamed(title, count))
    case 'skipped':
      return line(isOwn, name, 'تخطّيت', 'تخطّى', tracksNamed(title, count))
    case 'voted_out':
      return `تم التخطّي بالتصويت: ${tracksNamed(title, count)}`
    case 'played_next':
      return `${line(isOwn, name, 'جعلت', 'جعل', tracksNamed(title, count))} تاليًا`
    case 'joined':
      return count > 1 ? `انضم ${countedPeople(count)}` : line(isOwn, name, 'انضممت', 'انضم')
    case 'left':
      return count > 1 ? `غادر ${countedPeople(count)}` : line(isOwn, name, 'غادرت', 'غادر')
    case 'controls':
      return isOwn ? 'التحكم لديك' : isolate`التحكم لدى ${name}`
    case 'kicked':
      return isOwn ? 'أزالك المالك' : isolate`أزال المالك ${name}`
    case 'banned':
      return isOwn ? 'حظرك المالك' : isolate`حظر المالك ${name}`
    default:
      return null
  }
}

function line(isOwn: boolean, name: string, own: string, other: string, object = ''): string {
  const subject = isOwn ? own : `${other} ${isolate`${name}`}`
  return object === '' ? subject : `${subject} ${object}`
}
