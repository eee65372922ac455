/**
 * The program of `comity gateway --program NAME`: kept in the folder of --agents like any agent, and fetched from the repository
 * at the start and each hour. Whose programs may run is said there by the operator (`comity agent install … --trust`), and
 * nowhere else. Without a repository the version that is installed runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentStore, MAX_BUNDLE_BYTES } from '@comity/agent'
import { GatewayProgram, programGetter, updateProgram } from '@comity/gateway'
import type { ProgramUpdate } from '@comity/gateway'
import { GATEWAY_PATH, messageOf } from '@comity/protocol'
import type { GatewaySettings } from './flags.ts'
import { keyFileOf } from './gateway-parts.ts'

export interface ProgramFigures {
  readonly name: string
  /** Undefined while none runs. */
  readonly version: string | undefined
  readonly judged: number
  readonly skipped: number
  readonly replaced: number
  readonly runs: number
  readonly faults: number
}

export interface ProgramKeeper {
  readonly program: GatewayProgram
  figures(): ProgramFigures
  /** Ask the repository now. Never rejects. */
  update(signal?: AbortSignal): Promise<void>
  /** Ask each hour, until told to stop. */
  keep(signal: AbortSignal): Promise<void>
}

const EVERY_MS = 3_600_000
const DEFAULT_AGENTS = '.comity-agents'

export function openProgram(settings: GatewaySettings, tell: (sentence: string) => void): ProgramKeeper | undefined {
  const { program: name, agents = DEFAULT_AGENTS } = settings
  if (name === undefined) return undefined
  const store = new AgentStore(agents)
  const program = new GatewayProgram(store, name, { now: Date.now, tell })
  let last = ''
  const update = async (signal?: AbortSignal): Promise<void> => {
    const outcome = await fetchProgram(store, name, settings, signal).catch(
      // A disk that is full, for one.
      (error: unknown): ProgramUpdate => ({ kind: 'refused', problem: messageOf(error) }),
    )
    if (outcome === undefined || signal?.aborted === true) return
    const sentence = sentenceOf(name, outcome, agents)
    // What is as it was an hour ago is no news.
    if (sentence !== last) tell(sentence)
    last = sentence
  }
  const keep = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      // Being told to stop while waiting is no fault.
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await update(signal)
    }
  }
  return { program, figures: () => ({ name, version: currentOf(store, name), ...program.figures }), update, keep }
}

/** Undefined where there is no repository to ask. */
async function fetchProgram(
  store: AgentStore,
  name: string,
  settings: GatewaySettings,
  signal: AbortSignal | undefined,
): Promise<ProgramUpdate | undefined> {
  if (settings.to === undefined) return undefined
  const { httpPost, pushSigner } = await import('@comity/site')
  const sign = pushSigner(await keyFileOf(settings), Date.now)
  const post = httpPost({ sign, userAgent: 'comity-gateway', maxAnswerBytes: MAX_BUNDLE_BYTES + 1 })
  const receiver = settings.to.endsWith(GATEWAY_PATH) ? settings.to.slice(0, -GATEWAY_PATH.length) : settings.to
  const options = { get: programGetter((request) => post(request, signal), receiver), now: Date.now }
  const outcome = await updateProgram(store, name, options)
  // So that the repository knows what runs here, and not in an hour.
  if (outcome.kind === 'installed') await updateProgram(store, name, options)
  return outcome
}

export function sentenceOf(name: string, update: ProgramUpdate, agents: string): string {
  const { kind } = update
  if (kind === 'installed') return `Program ${name} ${update.version} came from the repository and runs from now on.`
  if (kind === 'same') return `Program ${name} is what the repository wants to run here.`
  if (kind === 'refused') return `Program ${name} was not taken from the repository: ${update.problem}`
  if (kind === 'unreachable')
    return `The repository was not reached for program ${name}, which stays as it is: ${update.problem}`
  return (
    `Program ${name} ${update.version} is wanted by the repository, and failed here (${update.reason}): ` +
    `the one before goes on. comity agent install … --agents ${agents} lets it in again.`
  )
}

function currentOf(store: AgentStore, name: string): string | undefined {
  const agent = store.read().agents.find((one) => one.name === name)
  return agent?.versions.find(({ digest, withdrawn }) => digest === agent.current && withdrawn === undefined)?.version
}
