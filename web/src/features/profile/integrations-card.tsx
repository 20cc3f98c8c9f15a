import { integrations as texts } from '../../account-texts.ts'
import { Card } from '../../ui/card.tsx'
import { SpotifyIntegration } from './spotify-integration.tsx'
import { YoutubeIntegration } from './youtube-integration.tsx'

/** The user's accounts at the providers (2.33). */
export function IntegrationsCard({ userId }: { userId: string }) {
  return (
    <Card title={texts.title}>
      <div className="grid gap-6 [&>*+*]:border-t [&>*+*]:border-line [&>*+*]:pt-6">
        <SpotifyIntegration userId={userId} />
        <YoutubeIntegration userId={userId} />
      </div>
    </Card>
  )
}
