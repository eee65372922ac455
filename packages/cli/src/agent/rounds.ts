/**
 * Agent rounds: when the agents of a site that is served are run. An agent is run when pages have changed since its last run
 * and somebody listens, at most so often, and with caps; whatever it does, the site goes on serving, since it runs in a
 * process of its own. One that fails rests for longer and longer; one that nobody takes results from is not run meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError, chosenVersion, defaultCaps, defaultDayCaps, isFault, runInstalled } from '@comity/agent'
import type { AgentCaps, AgentPages, AgentStore, InstalledRun, StoredAgent } from '@comity/agent'
import { ownValue, messageOf } from '@comity/protocol'
import type { AgentOutboxFile } from './outbox.ts'

interface AgentRoundsParts {
  readonly store: AgentStore
  readonly outbox: AgentOutboxFile
  readonly pages: AgentPages & { /** Another text when there are other pages. */ mark(): string }
  /** Least time between two runs of one agent. */
  readonly everyMs: number
  readonly caps?: AgentCaps | undefined
  /** How often people read each page, where the owner has a log. */
  readonly log?: (() => Promise<ReadonlyMap<string, number> | undefined>) | undefined
  readonly now: () => number
  readonly tell: (sentence: string) => void
  /** There may be something to send. */
  readonly onResult?: (() => void) | undefined
}

const DAY_MS = 86_400_000
const LONGEST_REST_MS = 3_600_000
/** Results of one agent that wait: more would say the same in more words, as the next run tells of everything since. */
const MOST_WAITING = 8
const LOOK_MS = 1_000

/** What is remembered of an agent between two rounds. */
interface Pace {
  /** The pages as they were when it last ran to its end. */
  readonly mark?: string | undefined
  readonly nextAt: number
  readonly faults: number
  /** What was last told of it, so that nobody is told twice. */
  readonly told?: string | undefined
}

export class AgentRounds {
  readonly #parts: AgentRoundsParts
  readonly #paces = new Map<string, Pace>()

  constructor(parts: AgentRoundsParts) {
    this.#parts = parts
  }

  /** Until told to stop; a run under way is then ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.round(signal)
      } catch (error) {
        // The folder is damaged, or in somebody's hands: the site is not.
        this.#parts.tell(`The agents: ${messageOf(error)}`)
        await rest(60_000, signal)
      }
      await rest(Math.min(LOOK_MS, Math.max(50, this.#parts.everyMs)), signal)
    }
  }

  /** Runs what is due, one after the other; returns how many runs it was. */
  async round(signal?: AbortSignal): Promise<number> {
    let runs = 0
    for (const agent of this.#parts.outbox.refresh()) {
      if (signal?.aborted === true) return runs
      if (this.#isDue(agent)) runs += Number(await this.#run(agent.name, signal))
    }
    return runs
  }

  #isDue(agent: StoredAgent): boolean {
    const { outbox, pages, now } = this.#parts
    if (outbox.audienceOf(agent).length === 0) return false
    const { mark, nextAt } = this.#paceOf(agent.name)
    const newcomers = outbox.newcomersOf(agent)
    if (newcomers.length > 0) outbox.welcome(agent, newcomers)
    else if (mark === pages.mark() || outbox.waitingOf(agent) >= MOST_WAITING) return false
    return newcomers.length > 0 || now() >= nextAt
  }

  async #run(name: string, signal: AbortSignal | undefined): Promise<boolean> {
    const { store, outbox, pages, caps = defaultCaps, log, now, onResult } = this.#parts
    const at = now()
    const mark = pages.mark()
    const agent = store.agent(name)
    const choice = chosenVersion(agent, at)
    const isOfAll = choice.kind === 'version' && ownValue(agent.memory, choice.version.digest) === undefined
    const hits = agent.mayReadLog ? await log?.() : undefined
    try {
      const run = await runInstalled(store, name, { pages, at, caps, dayCaps: this.#dayCaps(), log: hits, signal })
      if (run.file !== undefined && isOfAll) outbox.toldAll(name, run.number)
      this.#ended(name, run, mark)
      outbox.refresh()
      if (run.file !== undefined) onResult?.()
      return true
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      this.#note(name, { nextAt: now() + this.#parts.everyMs }, error.message)
      return false
    }
  }

  /** As many runs as fit into a day: how often is the owner's to say. */
  #dayCaps(): typeof defaultDayCaps {
    return { ...defaultDayCaps, runs: Math.max(defaultDayCaps.runs, Math.ceil(DAY_MS / this.#parts.everyMs)) }
  }

  #ended(name: string, { outcome, message, version }: InstalledRun, mark: string): void {
    const { everyMs, now } = this.#parts
    const at = now()
    if (outcome === 'done') return this.#note(name, { mark, nextAt: at + everyMs, faults: 0, told: undefined })
    const faults = this.#paceOf(name).faults + Number(isFault(outcome))
    const restMs = outcome === 'day-spent' ? LONGEST_REST_MS : Math.min(LONGEST_REST_MS, everyMs * 2 ** faults)
    const sentence = `The agent ${name} ${version} came to nothing: ${outcome}, ${message}. It is run again later.`
    return this.#note(name, { nextAt: at + restMs, faults }, sentence)
  }

  #note(name: string, part: Partial<Pace>, sentence?: string): void {
    const before = this.#paceOf(name)
    if (sentence !== undefined && sentence !== before.told) this.#parts.tell(sentence)
    this.#paces.set(name, { ...before, ...(sentence === undefined ? {} : { told: sentence }), ...part })
  }

  #paceOf(name: string): Pace {
    return this.#paces.get(name) ?? { nextAt: 0, faults: 0 }
  }
}

const rest = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
