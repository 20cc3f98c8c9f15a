import type { Finding, Severity } from '@earshot/core/diagnosis/findings'
import { CircleAlert, CircleCheck, Info, TriangleAlert, type LucideIcon } from 'lucide-react'
import { diagnosis as texts } from '../../../texts/diagnosis.ts'

const looks: Record<Severity, { icon: LucideIcon; colour: string }> = {
  problem: { icon: CircleAlert, colour: 'text-video' },
  notice: { icon: TriangleAlert, colour: 'text-caution' },
  ok: { icon: Info, colour: 'text-ink-muted' },
}

/** Lists the findings, worst first; without problems or notices it starts with "everything looks good". */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const isAllGood = findings.every(({ severity }) => severity === 'ok')
  return (
    <ul aria-label={texts.findings} className="flex flex-col gap-2">
      {isAllGood && (
        <Item icon={CircleCheck} colour="text-brand-text" title={texts.allGood} text={texts.allGoodText} />
      )}
      {findings.map(({ code, severity }) => (
        <Item
          key={code}
          {...looks[severity]}
          severity={texts.severities[severity]}
          {...texts.findingTexts[code]}
        />
      ))}
    </ul>
  )
}

interface ItemProps {
  icon: LucideIcon
  colour: string
  severity?: string
  title: string
  text: string
}

function Item({ icon: Icon, colour, severity, title, text }: ItemProps) {
  return (
    <li className="flex animate-appear gap-3 rounded-md bg-raised px-4 py-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colour}`} />
      <div className="min-w-0">
        <p className="text-sm font-medium">
          {severity !== undefined && <span className="sr-only">{severity}: </span>}
          {title}
        </p>
        <p className="mt-0.5 text-sm text-pretty text-ink-muted">{text}</p>
      </div>
    </li>
  )
}
