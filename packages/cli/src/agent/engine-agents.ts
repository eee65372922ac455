/**
 * Engine agents: the bundles that an engine has at sites, in a folder, and the means to see whether a site runs them: what
 * `comity watch --agents DIR` hears agents with. Every bundle in the folder (`*.agent`) is offered to every site; one that was
 * taken out, or has expired, is none of ours any more. The folder is looked at again once in a while, and sooner when something
 * comes of a bundle that was not there.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { auditAgent, MAX_BUNDLE_BYTES, MemoryPages, readBundle, readResult } from '@comity/agent'
import type { AgentBundle, AgentResult, ReadResult, ReportedRecord } from '@comity/agent'
import type { AgentClaim, AgentClaims, AgentPort, AuditedPage, RefusedAgentClaims } from '@comity/crawler'
import { GuardedThread } from '@comity/ingest/internal'
import { TOO_MUCH_WORK } from '@comity/protocol'
import { UsageError } from '../usage-error.ts'

const LOOK_MS = 10_000
const MISSED_MS = 500
const MOST_BUNDLES = 1_000
/** Read in a few milliseconds. */
const MAX_INLINE_BYTES = 32 << 10
const CHANGES = ['created', 'updated', 'deleted'] as const

/** What was read stays with what is told of it. */
interface ReadNews extends AgentClaims {
  readonly result: AgentResult
}

export class EngineAgents implements AgentPort {
  readonly #dir: string
  readonly #now: () => number
  #bundles: ReadonlyMap<string, AgentBundle> = new Map()
  #lookedAt = -Infinity
  /** Its thread keeps nobody from ending. */
  readonly #bench = new GuardedThread(new URL('./result-worker.ts', import.meta.url))

  /** Throws when there is no such folder. */
  constructor(dir: string, now: () => number = Date.now) {
    this.#dir = dir
    this.#now = now
    if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageError(`${dir} is no folder: put the bundles that sites may run there (comity agent build, sign).`)
    this.#look()
  }

  /** Digests of those that may speak. */
  get offered(): readonly string[] {
    return [...this.#bundles.keys()]
  }

  async read(body: Uint8Array): Promise<ReadNews | RefusedAgentClaims> {
    const read = body.length <= MAX_INLINE_BYTES ? resultIn(body) : await this.#bench.run<ReadResult>(body)
    if (read === TOO_MUCH_WORK) return { problem: read, outcome: read }
    if (read.kind === 'refused') return { problem: read.problem, outcome: 'unreadable' }
    const { head, records } = read.result
    const bundle = this.#bundleOf(head.bundle)
    if (bundle === undefined) return unoffered(`no bundle ${head.bundle} is offered`)
    const { name, version, perPage, emits, expiresAt } = bundle.manifest
    if (head.at >= expiresAt) return unoffered(`${name} ${version} had expired when it ran`)
    const stray = records.find(({ record }) => !emits.includes(record.kind))
    if (stray !== undefined) return unoffered(`${name} emits no ${stray.record.kind}`)
    const claims = [...Map.groupBy(records, ({ record }) => record.url)].map(([url, said]) => claimOf(url, said))
    return { agent: name, version, bundle: bundle.digest, at: head.at, isPerPage: perPage, claims, result: read.result }
  }

  async audit(news: AgentClaims, page: AuditedPage, signal: AbortSignal): Promise<boolean | undefined> {
    const bundle = this.#bundleOf(news.bundle)
    const { result } = news as ReadNews
    if (bundle === undefined) return undefined
    const pages = new MemoryPages().add(page.url, page.body, page.type)
    try {
      const report = await auditAgent({ bundle, results: [result], pages, sample: 1, random: Math.random, signal })
      return report.kind === 'agrees' ? true : report.kind === 'differs' ? false : undefined
    } catch {
      // No sandbox can be started here: that says nothing of the site.
      return undefined
    }
  }

  #bundleOf(digest: string): AgentBundle | undefined {
    const ageMs = this.#now() - this.#lookedAt
    if (ageMs > LOOK_MS || (ageMs > MISSED_MS && !this.#bundles.has(digest))) this.#look()
    return this.#bundles.get(digest)
  }

  #look(): void {
    this.#lookedAt = this.#now()
    const names = readdirSync(this.#dir).filter((name) => name.endsWith('.agent'))
    const bundles = names
      .toSorted()
      .slice(0, MOST_BUNDLES)
      .flatMap((name) => this.#bundleIn(name) ?? [])
    this.#bundles = new Map(bundles.map((one) => [one.digest, one]))
  }

  /** Undefined when it is gone by now, or is none. */
  #bundleIn(name: string): AgentBundle | undefined {
    try {
      const path = join(this.#dir, name)
      const read = statSync(path).size > MAX_BUNDLE_BYTES ? undefined : readBundle(readFileSync(path))
      return read?.kind === 'bundle' ? read.bundle : undefined
    } catch {
      // Taken out between the two.
      return undefined
    }
  }
}

const unoffered = (problem: string): RefusedAgentClaims => ({ problem, outcome: 'unoffered' })

/** What a site sent, as the lines that it should be. */
export const resultIn = (body: Uint8Array): ReadResult =>
  readResult(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'))

/** All that was said of one page, as far as a crawl can use it. */
function claimOf(url: string, said: readonly ReportedRecord[]): AgentClaim {
  const change = CHANGES.find((one) => said.some(({ record }) => record['change'] === one))
  const importance = said.map(({ record }) => record['importance']).find((one) => typeof one === 'number')
  // Each record names the page that it was made from; they are of one run, and so of one page.
  const digest = said.find(({ page }) => page !== undefined)?.page
  const words = said.find(({ record }) => record.kind === 'postings')?.record
  return { url, digest, change, importance, words }
}
