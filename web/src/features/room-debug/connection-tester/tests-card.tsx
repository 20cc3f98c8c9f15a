import { useState } from 'react'
import { useStore } from 'zustand'
import type { RoomVisit } from '../../../engine/room-visit.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { Card } from '../../../ui/card.tsx'
import { Tabs } from '../../../ui/controls/tabs.tsx'
import { AdvancedTests } from './advanced-tests.tsx'
import { BasicTests } from './basic-tests.tsx'
import { CorsTests } from './cors-tests.tsx'
import { ServerTests } from './server-tests.tsx'

// Four tabs are wider than a phone: each keeps the width of its text, and the row scrolls.
const tabListLook =
  'max-sm:-mx-5 max-sm:scroll-px-5 max-sm:overflow-x-auto max-sm:px-5 max-sm:py-1 max-sm:[&>*]:w-max **:[[role=tab]]:flex-auto **:[[role=tab]]:px-4'

/** Groups the tests in tabs (2.38). */
export function TestsCard({ room }: { room: RoomVisit }) {
  const roomId = useStore(room.store, (state) => state.room?.id ?? '')
  const [tab, setTab] = useState('basic')
  return (
    <Card title={texts.tests}>
      <Tabs
        label={texts.tests}
        value={tab}
        onChange={setTab}
        listClassName={tabListLook}
        tabs={[
          {
            value: 'basic',
            title: texts.tabs.basic,
            panel: <BasicTests key={roomId} room={room} roomId={roomId} />,
          },
          {
            value: 'advanced',
            title: texts.tabs.advanced,
            panel: <AdvancedTests room={room} roomId={roomId} />,
          },
          { value: 'cors', title: texts.tabs.cors, panel: <CorsTests room={room} /> },
          { value: 'servers', title: texts.tabs.servers, panel: <ServerTests room={room} /> },
        ]}
      />
    </Card>
  )
}
