import type { ComponentProps } from 'react'
import { onDemand } from '../../../ui/on-demand.tsx'
import type { Door as DoorType } from './door.tsx'

/** The doors of a room, whose code members do not need. */

export const Door = onDemand<ComponentProps<typeof DoorType>>(async () => (await import('./door.tsx')).Door)

export const PrivateDoor = onDemand(async () => (await import('./private-door.tsx')).PrivateDoor)
