/** `comity gateway programs FILE`: for whoever runs a repository: which programs gateways are to run, and who runs what. */
import type { ProgramsView, ProgramUseRow, ProgramVersionRow } from '@comity/receiver'
import type { Call } from '../command.ts'
import type { GatewaySettings } from './flags.ts'
import { counted, formatCount } from '../terminal/quantity.ts'
import { textTable } from '../terminal/text-table.ts'
import { UsageError } from '../usage-error.ts'

export async function programsWord({ settings, operands, terminal }: Call<GatewaySettings>): Promise<number> {
  const [path, ...more] = operands
  if (path === undefined || more.length > 0)
    throw new UsageError('Name the file of `comity watch --programs`: comity gateway programs programs.json.')
  const { ProgramEndpoint, programsInvalid, programsView } = await import('@comity/receiver')
  const view = programsView(path)
  if (typeof view === 'string') throw programsInvalid(path, view)
  const { forgive } = settings
  if (forgive !== undefined) {
    const gone = withdrawnOf(view, forgive)
    const door = new ProgramEndpoint(path, { now: Date.now, tell: (sentence) => terminal.say(sentence) })
    for (const { digest, version } of gone) {
      door.forgive(digest)
      terminal.say(`${forgive} ${version} may be nominated again, and its faults are forgotten.`)
    }
  }
  const now = forgive === undefined ? view : programsView(path)
  if (typeof now === 'string') throw programsInvalid(path, now)
  terminal.print(settings.json ? JSON.stringify(now) : programLines(now).join('\n'))
  return 0
}

/** Versions of a program that were withdrawn. */
function withdrawnOf({ versions }: ProgramsView, name: string): readonly ProgramVersionRow[] {
  const found = versions.filter(({ program }) => program === name)
  const gone = found.filter(({ withdrawnAt }) => withdrawnAt !== undefined)
  if (gone.length > 0) return gone
  const names = [...new Set(versions.map(({ program }) => program))].join(', ') || 'none'
  throw new UsageError(
    found.length === 0
      ? `--forgive: there is no program "${name}" in the file, but ${names}.`
      : `--forgive: no version of ${name} was withdrawn.`,
  )
}

/** Nothing where there are no programs. */
export function programLines({ versions, uses }: ProgramsView): string[] {
  if (versions.length === 0) return ['  no program is nominated']
  return [
    ...textTable(versions.map(versionLine), ['left', 'left', 'left', 'right', 'right', 'left']),
    ...(uses.length === 0 ? ['  no gateway has asked for one yet'] : []),
    ...textTable(uses.map(useLine), ['left', 'left', 'left', 'right']),
  ]
}

function versionLine(row: ProgramVersionRow): string[] {
  const { program, version, share, gateways, licensed, running, faults, maxFaults, withdrawn } = row
  const among = licensed === undefined ? 'all gateways' : licensed.join(', ')
  const part = share === 0 ? [] : [share === 1 ? among : `${Number((share * 100).toFixed(2))} % of ${among}`]
  return [
    program,
    version,
    `for ${[...gateways, ...part].join(', ') || 'nobody'}`,
    `${counted(running, 'gateway')} ${running === 1 ? 'runs' : 'run'} it`,
    `${formatCount(faults)} of ${counted(maxFaults, 'fault')}`,
    withdrawn === undefined ? '' : `withdrawn: ${withdrawn}`,
  ]
}

const useLine = ({ gateway, program, runs, nominated, faults }: ProgramUseRow): string[] => [
  gateway,
  program,
  runs === nominated ? `runs ${runs}` : `runs ${runs ?? 'none yet'}, is to run ${nominated}`,
  counted(faults, 'fault'),
]
