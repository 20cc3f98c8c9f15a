import { createConnectionRun, start } from '@earshot/core/testing/connection-run'
import { expect, it } from 'vitest'
import { hostOf, judgeConnection } from './use-connection.ts'

it('2.37a a connection is connected, of high latency above 300 ms, or disconnected', () => {
  const run = createConnectionRun()
  expect(judgeConnection(run.state)).toBe('disconnected')
  run.send(start)
  expect(judgeConnection(run.state)).toBe('disconnected')
  run.send({ type: 'connected' })
  expect(judgeConnection(run.state)).toBe('connected')
  run.send({ type: 'latency', rttMs: 300 })
  expect(judgeConnection(run.state)).toBe('connected')
  run.send({ type: 'latency', rttMs: 301 })
  expect(judgeConnection(run.state)).toBe('high_latency')
  run.send({ type: 'disconnected' })
  expect(judgeConnection(run.state)).toBe('disconnected')
})

it('describes a server by its host', () => {
  expect(hostOf('https://one.example/path')).toBe('one.example')
  expect(hostOf('http://127.0.0.1:3000')).toBe('127.0.0.1:3000')
  expect(hostOf('somewhere')).toBe('somewhere')
})
