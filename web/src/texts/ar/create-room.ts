import type * as english from '../create-room.ts'
import type { Translated } from '../translated.ts'

export const createRoom = {
  title: 'إنشاء غرفة جديدة',
  text: 'سمِّها وشارك الرابط واستمعوا معًا.',
  name: 'اسم الغرفة',
  namePlaceholder: 'غرفتي الموسيقية الرائعة',
  privacy: 'خصوصية الغرفة',
  public: 'عامة',
  publicText: 'يمكن للجميع الانضمام',
  private: 'خاصة',
  privateText: 'محمية بكلمة مرور',
  password: 'كلمة مرور الغرفة',
  passwordHint: 'شارك كلمة المرور هذه مع من تريد دعوتهم',
  showPassword: 'إظهار كلمة المرور',
  hidePassword: 'إخفاء كلمة المرور',
  source: 'مصدر الموسيقى المفضّل',
  sourceHint: 'يمكنك استخدام كل المصادر، وهذا هو الاختيار المبدئي فقط',
  submit: 'إنشاء الغرفة',
  submitting: 'جارٍ إنشاء الغرفة',
  note: 'بصفتك منشئ الغرفة فأنت مسؤول عن المحتوى المشارَك فيها.',
  nameRequiredTitle: 'اسم الغرفة مطلوب',
  nameRequiredText: 'يُرجى إدخال اسم لغرفتك',
  passwordRequiredTitle: 'كلمة المرور مطلوبة',
  passwordRequiredText: 'تتطلب الغرف الخاصة كلمة مرور',
  failedTitle: 'خطأ',
  failedText: 'تعذّر إنشاء الغرفة. يُرجى المحاولة مرة أخرى.',
} satisfies Translated<typeof english.createRoom>
