import { codecs } from './codecs.ts'
import { commandMeasurement } from './command.ts'
import { crossProcess } from './cross-process.ts'
import { deliveries } from './deliveries.ts'
import { element } from './element.ts'
import { fanOut } from './fan-out.ts'
import { frames } from './frames.ts'
import { installSize } from './install-size.ts'
import { joinStorm } from './join-storm.ts'
import { manyRooms } from './many-rooms.ts'
import type { Measurement } from './measurement.ts'
import { memory } from './memory.ts'
import { oldRule } from './old-rule.ts'
import { pageWeight } from './page-weight.ts'
import { probes } from './probes.ts'
import { roomsList } from './rooms-list.ts'
import { scale } from './scale.ts'
import { startUp } from './start-up.ts'
import { streaming } from './streaming.ts'
import { sync, syncUnprioritised } from './sync/sync.ts'
import { syncCodecs } from './sync/sync-codecs.ts'
import { syncDevices } from './sync/sync-devices.ts'
import { syncHidden, syncImpaired, syncReload } from './sync/sync-impaired.ts'
import { syncSteady } from './sync/sync-steady.ts'

/** All measurements in the order of a run. */
export const measurements: Measurement[] = [
  pageWeight,
  installSize,
  startUp,
  commandMeasurement,
  probes,
  fanOut,
  deliveries,
  joinStorm,
  memory,
  streaming,
  roomsList,
  frames,
  oldRule,
  sync,
  syncUnprioritised,
  syncCodecs,
  syncDevices,
  syncImpaired,
  syncHidden,
  syncReload,
  syncSteady,
  element,
  codecs,
  manyRooms,
  crossProcess,
  scale,
]
