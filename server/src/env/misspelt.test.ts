import { expect, it } from 'vitest'
import { findMisspelt } from './misspelt.ts'

const known = ['PORT', 'HOST', 'SIGN_UP', 'LIBRARY_ACCESS', 'TRUST_PROXY', 'SECRET_FILE']

it.each([
  ['SIGNUP', 'SIGN_UP'],
  ['LIBRARY_ACESS', 'LIBRARY_ACCESS'],
  ['LIBARY_ACCES', 'LIBRARY_ACCESS'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['SECRETFILE', 'SECRET_FILE'],
  ['HOSTS', 'HOST'],
])('16.227 %s is probably %s', (name, meant) => {
  expect(findMisspelt([name], known)).toEqual([{ name, meant }])
})

it('16.227 settings, and what other programs set, are not misspelt', () => {
  expect(findMisspelt(known, known)).toEqual([])
  const others = [
    'HOME',
    'PATH',
    'PWD',
    'USER',
    'SHELL',
    'TERM',
    'LANG',
    'MAIL',
    'HOSTNAME',
    'SHLVL',
    'TZ',
    'NODE_ENV',
  ]
  expect(findMisspelt(others, known)).toEqual([])
})
