import { spotifyMessages, youtubeMessages } from '@earshot/core/protocol/provider-messages'
import { pairTexts } from '../translated.ts'

const spotify = {
  noAnswer: 'لم يستجب Spotify. حاول مرة أخرى بعد لحظة',
  unreadable: 'أرسل Spotify ردًّا لا يستطيع هذا الخادم قراءته',
  refused: 'رفض Spotify هذا الطلب. حاول ربط حسابك في Spotify من جديد',
  notListed:
    'لا يقبل Spotify هذا الحساب: على مالك تطبيق Spotify هذا إضافته في لوحة التحكم على developer.spotify.com',
  ownerNeedsPremium: 'أوقف Spotify تطبيق Spotify هذا مؤقتًا: يحتاج مالكه إلى اشتراك Premium سارٍ',
  limitReached: 'بلغت الحد الذي يسمح به Spotify',
  notConnected: 'اربط حسابك في Spotify أولًا',
  mustReconnect: 'انتهى ربط حسابك في Spotify. اربطه من جديد',
  consentUsed: 'انتهت صلاحية هذا الإذن من Spotify أو سبق استخدامه. اربط حسابك من جديد',
  noSuchPlaylist: 'لا توجد قائمة التشغيل هذه في Spotify',
  playlistNotShown:
    'لا يعرض Spotify مقاطع قائمة التشغيل إلا لمالكها والمشاركين في تحريرها. أضفها إلى قائمة تشغيل خاصة بك',
  noSuchTrack: 'لا يوجد هذا المقطع في Spotify',
  notInCountry: 'لا يوفّر Spotify هذا المقطع في بلدك',
  entryOfDevice: 'ملف على جهاز مالك القائمة',
  entryOfPodcast: 'حلقة بودكاست',
  entryNotInAccount: 'غير متاح لحسابك في Spotify',
  entryNotInCountry: 'غير متاح في بلدك',
  entryGone: 'لم يعد متاحًا في Spotify',
} satisfies Record<keyof typeof spotifyMessages, string>

const youtube = {
  noAnswer: 'تعذّر على YouTube الرد. حاول لاحقًا',
  busy: 'YouTube مشغول. حاول بعد دقيقة',
  keyRefused: 'لم يقبل YouTube مفتاح API',
  searchesUsedUp: 'استُنفدت عمليات البحث في YouTube لهذا اليوم. والروابط الملصقة ما زالت تعمل',
  shareUsedUp:
    'استنفدت حصتك من عمليات البحث في YouTube لهذا اليوم؛ والباقي متروك للآخرين. ' +
    'ما زالت الروابط الملصقة تعمل، وكذلك مفتاح خاص بك تضيفه في ملفك الشخصي',
  requestsUsedUp: 'استُنفدت الطلبات إلى YouTube لهذا اليوم. وروابط الفيديوهات المفردة ما زالت تعمل',
  playlistNeedsKey: 'تتطلب قوائم تشغيل YouTube مفتاح API. أضف مفتاحًا خاصًا بك في ملفك الشخصي',
  noSuchPlaylist: 'قائمة التشغيل هذه غير موجودة، أو هي خاصة',
  noSuchVideo: 'هذا الفيديو غير موجود، أو هو خاص',
  videoNotShown: 'هذا الفيديو غير موجود، أو هو خاص، أو لا يُسمح بعرضه على مواقع أخرى',
  mix: 'ينشئ YouTube كل مزيج لشخص واحد فقط. الصق رابط قائمة تشغيل بدلًا من ذلك',
  privateList: 'هذه القائمة مرئية لمالكها فقط. الصق رابط قائمة تشغيل عامة بدلًا من ذلك',
  entryNotEmbeddable: 'لا يعمل خارج YouTube',
  entryOfAge: 'مقيَّد بالعمر',
  entryLive: 'بث مباشر',
  entryGone: 'خاص أو أُزيل',
} satisfies Record<keyof typeof youtubeMessages, string>

const byMessage = new Map([...pairTexts(spotifyMessages, spotify), ...pairTexts(youtubeMessages, youtube)])

export const providerMessage = (message: string): string | null => byMessage.get(message) ?? null
