/** What `comity agent` says: bundles, installed agents, runs and audits, in words and as JSON. */
import { AGENT_OUTCOMES, CAP_NAMES, chosenVersion, grantedCaps } from '@comity/agent'
import type { AgentBundle, AgentOutcome, AgentUse, AuditReport, StoredAgent } from '@comity/agent'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

export function bundleJson({ manifest, digest, signatures, source }: AgentBundle): object {
  return { digest, manifest, signedBy: signatures.map(({ keyId }) => keyId), sourceChars: source.length }
}

/** What an owner wants to know before letting it in. */
export function bundleLines({ manifest, digest, signatures }: AgentBundle, paint: Paint): string[] {
  const { name, version, about, engine, madeAt, expiresAt, perPage, reads, emits, unaudited, caps } = manifest
  const granted = grantedCaps(caps)
  const asks = CAP_NAMES.filter((cap) => caps[cap] !== undefined).map(
    (cap) =>
      `${cap} ${formatCount(caps[cap]!)}${caps[cap]! > granted[cap] ? ` (gets ${formatCount(granted[cap])})` : ''}`,
  )
  // oxfmt-ignore
  const rows: [name: string, value: string][] = [
    ['of', visible(engine)],
    ['digest', digest],
    ['made', `${dayOf(madeAt)}, runs until ${dayOf(expiresAt)}`],
    ['reads', reads.map((read) => (read === 'log' ? 'how often pages were read (if you allow it)' : 'public pages')).join(', ') || 'nothing'],
    ['emits', emits.join(', ')],
    ['works', perPage ? 'page by page: can be audited by sample' : 'over all pages at once: is audited whole'],
    ...(unaudited.length === 0 ? [] : [['not audited', unaudited.join(', ')] as [string, string]]),
    ['asks for', asks.join(', ') || 'no more than the usual'],
    ['signed by', signatures.map(({ keyId }) => keyId).join(', ') || 'nobody yet'],
  ]
  const widest = Math.max(...rows.map(([head]) => head.length))
  return [
    `${paint('bold', `${name} ${version}`)}  ${visible(about)}`,
    ...rows.map(([head, value]) => `  ${paint('dim', head.padEnd(widest))}  ${value}`),
  ]
}

export function agentLines(agents: readonly StoredAgent[], now: number, paint: Paint): string[] {
  return agents.flatMap((agent) => {
    const choice = chosenVersion(agent, now)
    const running = choice.kind === 'version' ? `version ${choice.version.version}` : paint('red', choice.reason)
    const { last, candidate, day } = agent
    return [
      `${paint('bold', agent.name)}  ${running}  ${paint('dim', `of ${visible(agent.engine)}`)}`,
      ...agent.versions.map((one) => {
        const role = one.digest === agent.current ? 'current' : one.digest === candidate?.digest ? 'on trial' : ''
        const state = one.withdrawn === undefined ? role : paint('yellow', visible(one.withdrawn))
        return `  ${one.version.padEnd(10)}  ${counted(one.done, 'good run')}, until ${dayOf(one.expiresAt)}  ${state}`.trimEnd()
      }),
      ...(last === undefined
        ? []
        : [
            `  last run ${new Date(last.at).toISOString().slice(0, 16).replace('T', ' ')}: ${outcomeText(last.outcome, last.message, paint)}, ${counted(last.records, 'record')}`,
          ]),
      ...(day === undefined
        ? []
        : [
            `  that day: ${counted(day.runs, 'run')}, ${formatDuration(day.cpuMs)} of processor time, ${formatBytes(day.readBytes)} read, ${formatBytes(day.outputBytes)} out`,
          ]),
      ...(agent.results.length === 0 ? [] : [`  ${counted(agent.results.length, 'result')} to be sent`]),
    ]
  })
}

export function outcomeText(outcome: AgentOutcome, message: string, paint: Paint): string {
  const { isFault, sentence } = AGENT_OUTCOMES[outcome]
  const text = outcome === 'done' ? 'done' : `${outcome}: ${sentence}${message === '' ? '' : ` (${visible(message)})`}`
  return paint(outcome === 'done' ? 'green' : isFault ? 'red' : 'yellow', text)
}

export function useText({ reads, readBytes, records, outputBytes, cpuMs, wallMs, memoryBytes }: AgentUse): string {
  return (
    `${counted(reads, 'page')} read (${formatBytes(readBytes)}), ${counted(records, 'record')} (${formatBytes(outputBytes)}), ` +
    `${formatDuration(cpuMs)} of processor time in ${formatDuration(wallMs)}, ${formatBytes(memoryBytes)} of memory`
  )
}

export function auditLines(report: AuditReport, paint: Paint): string[] {
  if (report.kind === 'not-comparable') return [paint('yellow', `Nothing can be said: ${report.reason}.`)]
  if (report.kind === 'failed')
    return [`The bundle does not run here. ${outcomeText(report.outcome, report.message, paint)}`]
  const { compared, moved, disagreeing, disagreements, mode } = report
  const head = `${counted(compared, 'page')} compared ${mode === 'whole' ? 'in one run over all' : 'one by one'}, ${formatCount(moved)} were other pages then`
  if (report.kind === 'agrees') return [`${paint('green', 'Agrees')}: ${head}.`]
  return [
    `${paint('red', 'Differs')}: ${head}; of ${counted(disagreeing, 'page')} the site says something else.`,
    ...disagreements.map(({ url, what, ours, theirs }) => {
      const told = what === 'missing' ? 'it said nothing' : `it said ${recordText(theirs)}`
      return `  ${visible(url)}\n    ${told}\n    we get ${what === 'extra' ? 'nothing' : recordText(ours)}`
    }),
  ]
}

const MAX_SHOWN = 300

const recordText = (record: object | undefined): string => visible(JSON.stringify(record) ?? '').slice(0, MAX_SHOWN)
