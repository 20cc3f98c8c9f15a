import { expect, it } from 'vitest'
import { isReservedName } from './reserved-names.ts'

it.each([
  'admin',
  'Admin',
  'ADMIN',
  'Admin 2',
  '★ Admin ★',
  'a.d.m.i.n',
  'Аdmin',
  'Аdmin 7',
  'Adm1n',
  'Adrnin',
  'Ádmin',
  'ＡＤＭＩＮ',
  'Ad\u200Bmin',
  'Systern',
  'Unknown',
  'Earshot',
])('16.129 %s is reserved', (name) => expect(isReservedName(name)).toBe(true))

it.each(['Adminton', 'Admin Smith', 'Systema', 'Anna', 'Arne', 'Ame', '2', 'A', '', '音楽', 'Known'])(
  '16.129 %s is free',
  (name) => expect(isReservedName(name)).toBe(false),
)
