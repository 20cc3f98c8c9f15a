import type * as english from '../room-settings.ts'
import type { Translated } from '../translated.ts'
import { ofTracks } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const controls = {
  hint: (owner, controller) =>
    controller === null
      ? isolate`يتحكم ${owner} في التشغيل`
      : isolate`${owner} غائب، والتحكم لدى ${controller}`,
  nobody: (owner) => isolate`${owner} غائب، ولا أحد لديه التحكم`,
  yours: (owner) => isolate`${owner} غائب، والتحكم لديك`,
} satisfies Translated<typeof english.controls>

export const roomSettings = {
  open: 'إعدادات الغرفة',
  title: 'إعدادات الغرفة',
  name: 'اسم الغرفة',
  control: 'من يتحكم في التشغيل',
  controlChoices: {
    owner: { title: 'أنا فقط', text: 'لا يتحكم أحد أثناء غيابك' },
    hand_over: {
      title: 'أنا، وشخص آخر أثناء غيابي',
      text: 'بعد دقيقة العضو الأقدم وجودًا، حتى تعود',
    },
    everybody: { title: 'الجميع', text: 'يمكن لكل الأعضاء التشغيل والإيقاف والتقديم والتخطّي' },
  },
  skipVotes: 'التصويت لتخطّي مقطع',
  skipVotesChoices: {
    off: { title: 'بلا تصويت', text: 'يتخطّى من لديه التحكم فقط' },
    half: { title: 'أكثر من نصف المستمعين', text: 'يصوّت الضيوف أيضًا، ولا يُحسب الغائبون' },
    third: { title: 'ثلث المستمعين', text: 'للغرف التي يستمع فيها كثيرون دون متابعة' },
  },
  guests: 'من ليس لديهم حساب',
  guestChoices: {
    nobody: { title: 'لا يدخلون', text: 'يحتاج الجميع إلى حساب' },
    invited: { title: 'برابط دعوة', text: 'فقط عبر رابط تشاركه' },
    everyone: { title: 'يمكنهم الدخول', text: 'يكفي اسم للاستماع' },
  },
  guestsChat: 'يمكن للضيوف الدردشة',
  guestsChatHint: 'وإلا فإنهم يستمعون ويقرؤون فقط.',
  guestsQueue: 'يمكن للضيوف تعديل قائمة الانتظار',
  guestsQueueHint: 'وإلا فلا يمكنهم إضافة شيء أو نقله أو إزالته.',
  removal: 'يمكن للأعضاء إزالة',
  removalChoices: {
    anybody: { title: 'أي مقطع في قائمة الانتظار', text: 'أيًا كان من أضافه' },
    own: { title: 'المقاطع التي أضافوها فقط', text: 'يمكنك إزالة أي مقطع' },
  },
  waitingTracks: 'المقاطع المنتظرة لكل عضو',
  waitingTracksHint: 'كم مقطعًا يمكن أن يكون لكل عضو في قائمة الانتظار. لا حدّ لك أنت.',
  waitingTracksNone: 'بلا حدّ',
  waitingTracksMost: (count) => `${ofTracks(count)} على الأكثر`,
  repeat: 'تكرار قائمة الانتظار',
  repeatHint: 'ما تم تشغيله يعود إلى نهاية قائمة الانتظار.',
  privacy: 'خصوصية الغرفة',
  listed: 'إظهار الاسم للجميع',
  listedHint:
    'وإلا فلن تظهر الغرفة في أي قائمة، ولن يعرف الغرباء من رابطها إلا أنها خاصة. تجدها أنت في الصفحة الرئيسية، ويجدها غيرك عبر رابطها.',
  newPassword: 'كلمة مرور جديدة',
  newPasswordHint: 'اتركها فارغة للإبقاء على كلمة المرور الحالية.',
  newPasswordEnds:
    'كلمة المرور الجديدة تنهي كل روابط الدعوة. من في الغرفة يبقى، ويُطلب من غيرهم إدخال الجديدة.',
  save: 'حفظ',
  saving: 'جارٍ الحفظ',
  saved: 'حُفظت إعدادات الغرفة',
  saveFailed: 'تعذّر حفظ الإعدادات',
  handOver: 'تسليم الغرفة',
  handOverText: 'يصبح القرار في الغرفة للمالك الجديد، وتبقى أنت مستمعًا.',
  handOverTo: 'المالك الجديد',
  handOverNobody: 'لا أحد آخر ممن لديهم حساب موجود في الغرفة.',
  handOverConfirm: (name) => isolate`التسليم إلى ${name}`,
  handedOver: (name) => isolate`أصبحت الغرفة ملكًا لـ ${name}`,
  handOverFailed: 'تعذّر تسليم الغرفة',
  handOverTooMany: 'لدى المالك الجديد غرف كثيرة جدًا.',
  delete: 'حذف الغرفة',
  deleteText: 'تنتهي الغرفة لدى الجميع مع قائمة انتظارها ودردشتها. لا يمكن التراجع عن ذلك.',
  deleteConfirm: (name) => isolate`حذف «${name}»`,
  deleteFailed: 'تعذّر حذف الغرفة',
} satisfies Translated<typeof english.roomSettings>
