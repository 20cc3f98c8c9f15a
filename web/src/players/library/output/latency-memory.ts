import { dayMs } from '@earshot/core/clock'
import { readStoredJson, writeStoredJson } from '../../../storage.ts'

/** A sound device as far as a page can tell devices apart. */
type DeviceContext = Pick<AudioContext, 'sampleRate' | 'baseLatency'> & { sinkId?: unknown }

interface LatencyEntry {
  device: string
  latencyMs: number
  atMs: number
}

const storageKey = 'outputLatency:v1'
const keptForMs = 30 * dayMs
const devicesKept = 8
/** The share of the newest stream in the mean of a device. */
const newestShare = 0.3
/** A larger difference means another device behind the same name. */
const sameDeviceMs = 20

/** Returns the output latency, ms, that earlier streams of the device settled at; null if unknown. */
export function readLatency(context: DeviceContext, nowMs: number): number | null {
  const device = nameOf(context)
  return readEntries(nowMs).find((entry) => entry.device === device)?.latencyMs ?? null
}

/** Remembers the output latency, ms, that a stream settled at, as a mean of the device's streams. */
export function rememberLatency(context: DeviceContext, latencyMs: number, nowMs: number): void {
  const device = nameOf(context)
  const entries = readEntries(nowMs)
  const before = entries.find((entry) => entry.device === device)?.latencyMs ?? latencyMs
  const isSame = Math.abs(latencyMs - before) <= sameDeviceMs
  const entry = {
    device,
    latencyMs: isSame ? before + newestShare * (latencyMs - before) : latencyMs,
    atMs: nowMs,
  }
  const others = entries.filter((other) => other.device !== device)
  // Without storage, as in some private windows, every stream settles by itself.
  writeStoredJson('device', storageKey, [entry, ...others].slice(0, devicesKept))
}

/** A browser's update may change its buffers, so the browser is part of the name. */
function nameOf({ sampleRate, baseLatency, sinkId }: DeviceContext): string {
  const sink = typeof sinkId === 'string' ? sinkId : ''
  return [sink, sampleRate, baseLatency.toFixed(4), navigator.userAgent].join('|')
}

function readEntries(nowMs: number): LatencyEntry[] {
  const stored = readStoredJson<unknown>('device', storageKey)
  return Array.isArray(stored) ? stored.filter((entry) => isUsable(entry, nowMs)) : []
}

function isUsable(entry: unknown, nowMs: number): entry is LatencyEntry {
  const { device, latencyMs, atMs } = (entry ?? {}) as Record<keyof LatencyEntry, unknown>
  if (typeof device !== 'string' || typeof latencyMs !== 'number' || typeof atMs !== 'number') return false
  const isPlausible = Number.isFinite(latencyMs) && latencyMs >= 0
  return isPlausible && atMs <= nowMs && nowMs - atMs < keptForMs
}
