/**
 * A remote agent at the site (002 §6.3): one of examples/agents, in its real sandbox, over the pages of the journal. What it
 * emits the delivery worker brings, pages that it asks for first; it is run when the owner says so, and remembers from run to run.
 */
import { existsSync, readFileSync } from 'node:fs'
import {
  AGENT_API,
  AgentMemory,
  describeAgent,
  headLine,
  HOST_VERSION,
  makeBundle,
  readAgentManifest,
  recordLine,
  runAgent,
} from '@comity/agent'
import type { AgentBundle, AgentPages, EmittedRecord } from '@comity/agent'
import type { AgentOutboxItem, AgentRecordLine, AgentOutbox, SiteOptions } from '@comity/site'
import type { AgentName } from '../experiments/schemes/pushed.ts'

const programOf = (name: AgentName): URL => new URL(`../../../../examples/agents/${name}.js`, import.meta.url)

/** The examples are beside the packages, and not in them. */
export const hasAgent = (name: AgentName): boolean => existsSync(programOf(name))

/** As `comity agent build` makes it. Throws when the program is none. */
export async function agentBundle(name: AgentName): Promise<AgentBundle> {
  const source = readFileSync(programOf(name), 'utf8')
  const described = await describeAgent(source)
  if (described.kind === 'refused') throw new Error(`${name} is no agent: ${described.message}`)
  const usual = { api: AGENT_API, hostVersion: HOST_VERSION, reads: ['pages'], unaudited: [], caps: {} }
  const life = { madeAt: '2026-01-01T00:00:00Z', expiresAt: '2036-01-01T00:00:00Z' }
  const whole = { ...usual, ...life, engine: 'https://engine.example/keys', ...(described.manifest as object) }
  const read = readAgentManifest(whole)
  if (read.kind === 'refused') throw new Error(`${name}: ${read.problem}`)
  return makeBundle(read.manifest, source)
}

type AgentSite = Pick<SiteOptions, 'journal' | 'base' | 'now'>

/** Runs the agent when it is told to, and keeps what it said until the delivery worker has brought it. */
export class AgentRunner implements AgentOutbox {
  readonly #bundle: AgentBundle
  readonly #site: AgentSite
  #memory: AgentMemory
  #runs = 0
  #item: AgentOutboxItem | undefined

  constructor(bundle: AgentBundle, site: AgentSite, memory: AgentMemory = new AgentMemory()) {
    this.#bundle = bundle
    this.#site = site
    this.#memory = memory
  }

  /** What changed is for the agent to find out: it sees all pages. */
  async run(): Promise<void> {
    const { manifest, digest } = this.#bundle
    const { name, version } = manifest
    const isOfAll = this.#memory.size === 0
    const records: AgentRecordLine[] = []
    let head = ''
    const run = await runAgent({
      bundle: this.#bundle,
      pages: this.#pages(),
      memory: this.#memory,
      onBegin: (pages, pagesDigest) =>
        (head = headLine({ agent: name, version, bundle: digest, at: this.#site.now(), pages, pagesDigest })),
      onRecord: (emitted) => records.push(lineOf(emitted)),
    })
    if (run.outcome !== 'done') throw new Error(`${name} ended as ${run.outcome}: ${run.message}`)
    this.#memory = run.memory
    if (records.length > 0) this.#item = { id: `${name} ${++this.#runs}`, head, records, isOfAll }
  }

  isWaiting(): boolean {
    return this.#item !== undefined
  }

  async next(): Promise<AgentOutboxItem | undefined> {
    return await Promise.resolve(this.#item)
  }

  async taken(): Promise<void> {
    this.#item = undefined
    await Promise.resolve()
  }

  #pages(): AgentPages {
    const { journal, base } = this.#site
    const { origin } = new URL(base)
    return {
      *list() {
        for (const { path, type, bytes, digest, modifiedAt } of journal.pages())
          yield { url: `${origin}${path}`, type, bytes, digest, modifiedAt }
      },
      read: async ({ digest }) => await Promise.resolve(journal.version(digest)),
    }
  }
}

/** The site sends the pages that an agent asks for. */
function lineOf(emitted: EmittedRecord): AgentRecordLine {
  const { kind, url } = emitted.record
  return { url, wish: kind === 'page' || kind === 'difference' ? kind : undefined, line: recordLine(emitted) }
}

/** Of proc(5)'s clock; 100 on every Linux that Node runs on. */
const TICK_MS = 10

/**
 * Processor time of processes that this one had started and that have ended: what sandboxes took, their start included. Zero
 * where the system does not show it (other systems than Linux).
 */
export function endedChildrenMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // The command's name may hold blanks and brackets; what follows its last bracket does not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS
  } catch {
    // No proc(5) here.
    return 0
  }
}
