import { pluralsOf } from '@earshot/core/plurals'
import { locale } from '../language.ts'

export const plural = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many'>(locale)

/** Counted nouns in the nominative, and in the genitive, whose dual differs. */

export const tracks = (count: number): string =>
  plural(count, {
    zero: 'لا مقاطع',
    one: 'مقطع واحد',
    two: 'مقطعان',
    few: '# مقاطع',
    many: '# مقطعًا',
    other: '# مقطع',
  })

export const ofTracks = (count: number): string =>
  plural(count, {
    zero: '# مقطع',
    one: 'مقطع واحد',
    two: 'مقطعين',
    few: '# مقاطع',
    many: '# مقطعًا',
    other: '# مقطع',
  })

export const ofVotes = (count: number): string =>
  plural(count, {
    zero: '# صوت',
    one: 'صوت واحد',
    two: 'صوتين',
    few: '# أصوات',
    many: '# صوتًا',
    other: '# صوت',
  })

export const people = (count: number): string =>
  plural(count, {
    zero: 'لا أحد',
    one: 'شخص واحد',
    two: 'شخصان',
    few: '# أشخاص',
    many: '# شخصًا',
    other: '# شخص',
  })

export const ofPeople = (count: number): string =>
  plural(count, {
    zero: '# شخص',
    one: 'شخص واحد',
    two: 'شخصين',
    few: '# أشخاص',
    many: '# شخصًا',
    other: '# شخص',
  })

/** Behind some who are named: "and 3 more". */
export const others = (count: number): string =>
  plural(count, {
    zero: 'ولا أحد غيرهم',
    one: 'وشخص آخر',
    two: 'وشخصان آخران',
    few: 'و# أشخاص آخرون',
    many: 'و# شخصًا آخر',
    other: 'و# شخص آخر',
  })

export const members = (count: number): string =>
  plural(count, {
    zero: 'لا أعضاء',
    one: 'عضو واحد',
    two: 'عضوان',
    few: '# أعضاء',
    many: '# عضوًا',
    other: '# عضو',
  })

export const messages = (count: number): string =>
  plural(count, {
    zero: 'لا رسائل جديدة',
    one: 'رسالة جديدة',
    two: 'رسالتان جديدتان',
    few: '# رسائل جديدة',
    many: '# رسالة جديدة',
    other: '# رسالة جديدة',
  })

export const letters = (count: number): string =>
  plural(count, {
    zero: '# حرف',
    one: 'حرف واحد',
    two: 'حرفان',
    few: '# أحرف',
    many: '# حرفًا',
    other: '# حرف',
  })

export const ofSeconds = (count: number): string =>
  plural(count, {
    zero: '# ثانية',
    one: 'ثانية واحدة',
    two: 'ثانيتين',
    few: '# ثوانٍ',
    many: '# ثانية',
    other: '# ثانية',
  })
