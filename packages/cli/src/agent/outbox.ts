/**
 * Agent outbox: what the agents of a site had to say, until those it is for have it. Results stand in the folder of the agents;
 * here it is written down how far each subscriber has them, and a result that all have is let go.
 *
 * An agent's word is for its engine: what was counted in the access log is nobody else's to know. So it goes to subscribers
 * at the host of the engine's keys, and to push addresses, which the owner wrote down. Whoever is new is told of all pages:
 * the agent forgets what it remembered, and its next run begins anew.
 *
 *   { "format": 1, "taken": { AGENT: { SUBSCRIBER: last run it has } }, "ofAll": { AGENT: [runs that told of all pages] } }
 */
import { readFileSync } from 'node:fs'
import { isRevoked, readResult, resultPath, takeResult } from '@comity/agent'
import { writeDurably } from '@comity/disk'
import type { AgentStore, ReportedRecord, StoredAgent } from '@comity/agent'
import { ownValue, messageOf } from '@comity/protocol'
import type { AgentOutboxItem, AgentRecordLine, AgentOutbox, Subscriber, Subscribers } from '@comity/site'
import { UsageError } from '../usage-error.ts'

interface AgentOutboxParts {
  readonly store: AgentStore
  readonly subscribers: Pick<Subscribers, 'all'>
  /** Where it is written down who has what. */
  readonly file: string
  readonly tell: (sentence: string) => void
}

interface OutboxFile {
  readonly format: 1
  readonly taken: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly ofAll: Readonly<Record<string, readonly number[]>>
}

const EMPTY: OutboxFile = { format: 1, taken: {}, ofAll: {} }

export class AgentOutboxFile implements AgentOutbox {
  readonly #parts: AgentOutboxParts
  #file: OutboxFile
  /** As they were when somebody last looked. */
  #agents: readonly StoredAgent[] = []

  constructor(parts: AgentOutboxParts) {
    this.#parts = parts
    this.#file = readOutbox(parts.file)
    this.refresh()
  }

  /** Look at the folder of the agents again: others install, revoke and run, too. */
  refresh(): readonly StoredAgent[] {
    this.#agents = this.#parts.store.read().agents
    return this.#agents
  }

  /** Who is told what an agent says. */
  audienceOf({ engine }: Pick<StoredAgent, 'engine'>): readonly Subscriber[] {
    return [...this.#parts.subscribers.all()].filter((one) => one.scheme === 'agent' && isFor(one, engine))
  }

  /** Whether some agent here speaks to whoever is at this address. */
  hasAgentFor(callback: string): boolean {
    return this.refresh().some(({ engine }) => hostOf(engine) === hostOf(callback))
  }

  /** Those of its audience that have not been told anything yet. */
  newcomersOf(agent: StoredAgent): readonly Subscriber[] {
    return this.audienceOf(agent).filter(({ id }) => this.#takenOf(agent.name, id) === undefined)
  }

  /** They are told of all pages by the next run: what was said before it is not for them. */
  welcome({ name, runs }: StoredAgent, newcomers: readonly Subscriber[]): void {
    this.#parts.store.changeAgent(name, (agent) => ({ ...agent, memory: {} }))
    const taken = { ...ownValue(this.#file.taken, name), ...Object.fromEntries(newcomers.map(({ id }) => [id, runs])) }
    this.#save({ taken: { ...this.#file.taken, [name]: taken } })
    this.refresh()
  }

  /** A run with this number has a result, and had nothing to remember. */
  toldAll(name: string, run: number): void {
    const runs = [...(ownValue(this.#file.ofAll, name) ?? []), run].slice(-MOST_NOTED)
    this.#save({ ofAll: { ...this.#file.ofAll, [name]: runs } })
  }

  /** Results of an agent that somebody still has to get. */
  waitingOf(agent: StoredAgent): number {
    const slowest = Math.min(...this.audienceOf(agent).map(({ id }) => this.#takenOf(agent.name, id) ?? Infinity))
    return agent.results.filter((run) => run > slowest).length
  }

  isWaiting(subscriber: Subscriber): boolean {
    return this.#waitingFor(subscriber) !== undefined
  }

  async next(subscriber: Subscriber): Promise<AgentOutboxItem | undefined> {
    this.refresh()
    for (let found = this.#waitingFor(subscriber); found !== undefined; found = this.#waitingFor(subscriber)) {
      const { agent, run } = found
      const item = this.#item(agent, run)
      if (typeof item !== 'string') return await Promise.resolve(item)
      this.#parts.tell(`Result ${run} of the agent ${agent.name} is not sent: ${item}.`)
      this.#take(agent.name, run, subscriber)
    }
    return undefined
  }

  async taken(subscriber: Subscriber, { id }: AgentOutboxItem): Promise<void> {
    const at = id.lastIndexOf(' ')
    this.#take(id.slice(0, at), Number(id.slice(at + 1)), subscriber)
    await Promise.resolve()
  }

  #waitingFor(subscriber: Subscriber): { readonly agent: StoredAgent; readonly run: number } | undefined {
    for (const agent of this.#agents) {
      const after = isFor(subscriber, agent.engine) ? this.#takenOf(agent.name, subscriber.id) : undefined
      const run = after === undefined ? undefined : agent.results.find((one) => one > after)
      if (run !== undefined) return { agent, run }
    }
    return undefined
  }

  #takenOf(name: string, id: string): number | undefined {
    return ownValue(ownValue(this.#file.taken, name), id)
  }

  /** Why not, when it cannot be sent. */
  #item(agent: StoredAgent, run: number): AgentOutboxItem | string {
    let text = ''
    try {
      text = readFileSync(resultPath(this.#parts.store.dir, agent.name, run), 'utf8')
    } catch (error) {
      return `it cannot be read: ${messageOf(error)}`
    }
    const read = readResult(text)
    if (read.kind === 'refused') return `it cannot be read: ${read.problem}`
    const { head, records } = read.result
    const version = agent.versions.find(({ digest }) => digest === head.bundle)
    if (version === undefined || isRevoked(version)) return `its version ${head.version} was revoked`
    const lines = text.split('\n')
    const isOfAll = ownValue(this.#file.ofAll, agent.name)?.includes(run) === true
    return {
      id: `${agent.name} ${run}`,
      head: `${lines[0]!}\n`,
      records: records.map((record, i) => lineOf(record, lines[i + 1]!)),
      isOfAll,
    }
  }

  #take(name: string, run: number, { id }: Subscriber): void {
    const agent = this.#agents.find((one) => one.name === name)
    const audience = agent === undefined ? [] : this.audienceOf(agent).map((one) => one.id)
    // Of those who are gone nothing is kept.
    const known = Object.entries(ownValue(this.#file.taken, name) ?? {}).filter(([one]) => audience.includes(one))
    const taken = { ...Object.fromEntries(known), [id]: run }
    this.#save({ taken: { ...this.#file.taken, [name]: taken } })
    const upTo = Math.min(...audience.map((one) => ownValue(taken, one) ?? Infinity), run)
    const over = agent?.results.filter((one) => one <= upTo) ?? []
    for (const one of over) takeResult(this.#parts.store, name, one)
    this.refresh()
  }

  #save(part: Partial<OutboxFile>): void {
    this.#file = { ...this.#file, ...part }
    writeDurably(this.#parts.file, `${JSON.stringify(this.#file, undefined, 1)}\n`)
  }
}

/** Runs that told of all pages, of one agent. */
const MOST_NOTED = 32

const isFor = ({ by, address }: Subscriber, engine: string): boolean =>
  by === 'push' || hostOf(address) === hostOf(engine)

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname

const lineOf = ({ record: { url, kind } }: ReportedRecord, line: string): AgentRecordLine => ({
  url,
  wish: kind === 'page' || kind === 'difference' ? kind : undefined,
  line: `${line}\n`,
})

function readOutbox(path: string): OutboxFile {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY
    throw error
  }
  const read = parsed(text)
  if (read !== undefined) return read
  throw new UsageError(`${path} is not what was written there: remove it, and every engine is told of all pages anew.`)
}

function parsed(text: string): OutboxFile | undefined {
  try {
    const file = JSON.parse(text) as OutboxFile | null
    const isOne = file?.format === 1 && typeof file.taken === 'object' && typeof file.ofAll === 'object'
    return isOne ? file : undefined
  } catch {
    return undefined
  }
}
