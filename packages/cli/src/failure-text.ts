/** Failure text: what is said when a command fails. A fault with a code says what to do; one without is our bug. */
import { textOf } from '@comity/protocol'
import { isSystemFailure, systemFailureText } from './system-failure.ts'
import type { Paint } from './terminal/terminal.ts'
import { UsageError } from './usage-error.ts'
import { versionLine } from './version.ts'

/** Codes of other packages that mean: what was typed cannot be done. */
const WRONG_USE_CODES: ReadonlySet<string> = new Set([
  'OPTION_INVALID',
  'CONTACT_MISSING',
  'SEED_INVALID',
  'PLUGIN_INVALID',
  'SCOPE_INVALID',
  'EXPERIMENT_INVALID',
  'WEB_UNREADABLE',
  'UNPACKER_MISSING',
  'PUBLISH_OPTION_INVALID',
  'CLUSTER_SETTING',
])

export function isWrongUse(error: unknown): boolean {
  return error instanceof UsageError || WRONG_USE_CODES.has(codeOf(error) ?? '')
}

export function failureText(error: unknown, paint: Paint, command?: string): string {
  const name = command === undefined ? 'comity' : `comity ${command}`
  const head = paint('red', `${name}:`)
  if (!isExpected(error)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : textOf(error)
    return `${head} this should not have happened.\n${stack}\n\n${REPORT} ${versionLine()}`
  }
  if (isSystemFailure(error)) return `${head} ${systemFailureText(error)}`
  const hint = error instanceof UsageError ? `\nRun \`${name} --help\` to see what it takes.` : ''
  return `${head} ${error.message}${hint}`
}

const REPORT = 'Please report it with the lines above and the command you ran; what the collection holds is safe.'

/** Our own errors carry a code in capitals; so do those of the system, which also name the call that failed. */
function isExpected(error: unknown): error is Error {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === undefined) return false
  return (
    isSystemFailure(error) ||
    /^(?:(?:Agent|Cluster|Usage|Crawl|Collection|Control|Frontier|Gateway|Index|Lab|Receiver|Repository|Site)Error|NotThere)$/.test(
      error.name,
    )
  )
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
