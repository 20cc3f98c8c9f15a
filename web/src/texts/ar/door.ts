import type * as english from '../door.ts'
import type { Translated } from '../translated.ts'
import { ofSeconds, people } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const door = {
  scene: ({ owner, room, track, isPlaying, isOwnerHere }) => {
    if (track === null) return isolate`استمع مع ${owner} في ${room}`
    if (!isPlaying) return isolate`التالي مع ${owner} في ${room}: ${track}`
    return isOwnerHere
      ? isolate`${owner}: تشغيل ${track} في ${room}`
      : isolate`${track} يعمل الآن في ${room}، المضيف: ${owner}`
  },
  private: (room) => isolate`الغرفة ${room} خاصة`,
  thisRoomIsPrivate: 'هذه الغرفة خاصة',
  listening: (count) => `الموجودون هنا: ${people(count)}`,
  nobody: 'لا أحد هنا بعد',
  name: 'اسمك',
  namePlaceholder: 'الاسم الذي يراه الآخرون',
  nameMissing: 'أدخل اسمًا أولًا.',
  listen: 'استماع',
  entering: 'جارٍ الانضمام',
  orAccount: 'لديك حساب؟',
  signIn: 'تسجيل الدخول',
  createAccount: 'إنشاء حساب',
  closed: {
    nobody: (owner) => isolate`سجّل الدخول للاستماع: لا يقبل ${owner || 'المالك'} إلا أصحاب الحسابات.`,
    invited: (owner) =>
      isolate`سجّل الدخول للاستماع، أو اطلب من ${owner || 'المالك'} رابط دعوة لا يحتاج إلى حساب.`,
    everyone: () => 'سجّل الدخول للاستماع.',
  },
  networkBanned: 'سجّل الدخول للاستماع: لا يمكن لضيوف جدد من هذه الشبكة الانضمام حاليًا.',
  inviteEnded: (owner) =>
    isolate`لم يعد رابط الدعوة هذا صالحًا. اطلب من ${owner || 'المالك'} رابطًا جديدًا أو سجّل الدخول.`,
  failed: 'تعذّر انضمامك. تحقق من اتصالك بالإنترنت وحاول مرة أخرى.',
  loadFailedTitle: 'تعذّر تحميل الغرفة',
  loadFailedText: 'تحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
  sessionEnded: 'انتهت جلستك، لذلك توقفت الموسيقى هنا. ادخل مجددًا لمتابعة الاستماع.',
  askPassword: 'أدخل كلمة مرورها، أو اطلب من المالك رابط دعوة.',
  askPasswordInviteEnded:
    'لم يعد رابط الدعوة هذا صالحًا. أدخل كلمة مرور الغرفة، أو اطلب من المالك رابطًا جديدًا.',
  password: 'كلمة مرور الغرفة',
  join: 'الانضمام إلى الغرفة',
  checking: 'جارٍ التحقق',
  manyGuests: (when) => isolate`ينضم ضيوف كثيرون من هذه الشبكة. حاول مرة أخرى ${when}، أو سجّل الدخول.`,
  wait: (seconds) => `محاولات كثيرة جدًا. حاول مرة أخرى بعد ${ofSeconds(seconds)}.`,
} satisfies Translated<typeof english.door>
