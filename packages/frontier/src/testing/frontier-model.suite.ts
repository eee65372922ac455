/**
 * Any sequence of calls against a model that is too simple to be wrong: a Map of pages, and for every site and address
 * the moment before which it may not be connected to. Whatever store it is over, it comes back out of it as it went in.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Frontier } from '../queue/frontier.ts'
import { frontierOver, politeness } from './frontier-fixture.ts'
import type { FrontierStore, MakeFrontierStore } from './frontier-fixture.ts'
import type { Disposition, Lease, Task } from '../queue/lease.ts'
import { ORDERS, orderNamed } from '../order/orders.ts'
import { PAGE_STATES } from '../queue/page-table.ts'
import type { PageState } from '../queue/page-table.ts'

/** Orders that a crawl can use. */
const CRAWLABLE = ORDERS.filter(({ isLabOnly }) => isLabOnly !== true).map(({ name }) => name)

const SITES = 3
const SEEDS = 2
const MAX_TRIES = 3
const FATES: readonly Disposition[] = ['done', 'retry', 'failed', 'excluded', 'forgotten', 'waiting']

interface ModelPage {
  state: PageState
  tries: number
  readonly seed: number
}

interface Model {
  readonly pages: Map<string, ModelPage>
  /** Sites and addresses, and the moment before which they rest. */
  readonly rests: Map<string, number>
}

interface Visit {
  readonly lease: Lease
  task: Task | undefined
  address: string | undefined
}

type Step = [kind: string, a: number, b: number, c: number]
const kinds = [
  'offer',
  'offer',
  'lease',
  'lease',
  'place',
  'ask',
  'next',
  'settle',
  'release',
  'wait',
  'forget',
  'admit',
  'drain',
  'restart',
  'kill',
]
const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(11), fc.nat(11), fc.nat(11)), {
  maxLength: 80,
  size: 'max',
})

class World {
  frontier: Frontier
  model: Model = { pages: new Map(), rests: new Map() }
  kept: Model = { pages: new Map(), rests: new Map() }
  visits: Visit[] = []
  /** Pages that were fetched and are not settled yet. */
  unsettled: number[] = []
  now = 1_000
  readonly #store: FrontierStore
  readonly #options: Parameters<typeof frontierOver>[1]

  constructor(store: FrontierStore, order: number, gates: boolean) {
    this.#store = store
    this.#options = {
      order: orderNamed(CRAWLABLE[order]!),
      gates,
      maxTries: MAX_TRIES,
      politenessOf: () => ({ ...politeness, pagesPerConnection: 3 }),
    }
    this.frontier = frontierOver(this.#store, this.#options)
  }

  async step([kind, a, b, c]: Step): Promise<void> {
    const visit = this.visits[a % Math.max(1, this.visits.length)]
    if (kind === 'offer') this.#offer(`https://${a % SITES}.example/${b % 5}`, c % SEEDS, c)
    else if (kind === 'lease') this.#lease()
    else if (kind === 'wait') this.now += [1, 500, 1_000, 5_000, 60_000][a % 5]!
    else if (kind === 'drain') await this.#drain()
    else if (kind === 'restart') await this.#restart()
    else if (kind === 'kill') this.#kill()
    else if (kind === 'forget') this.#change(a, (page) => this.frontier.forget(page), 'forgotten')
    else if (kind === 'admit') this.#admit(a)
    else if (kind === 'settle') this.#settle(a, FATES[b % FATES.length]!)
    else if (visit === undefined) return
    else if (kind === 'place') this.#place(visit, `x${b % 2}`)
    else if (kind === 'ask') this.#ask(visit, b, c)
    else if (kind === 'next') this.#next(visit)
    else if (kind === 'release') this.#release(visit)
  }

  #offer(url: string, seed: number, c: number): void {
    const known = this.model.pages.get(url)
    const excluded = c > 8 ? 4 : undefined
    this.frontier.offer(url, { depth: c % 4, seed, ...(excluded === undefined ? {} : { excluded }) })
    if (known === undefined)
      this.model.pages.set(url, { state: excluded === undefined ? 'waiting' : 'excluded', tries: 0, seed })
    else if (known.state === 'excluded' && excluded === undefined) Object.assign(known, { state: 'waiting', tries: 0 })
  }

  #lease(): void {
    const lease = this.frontier.lease(this.now)
    if (lease === undefined) {
      assert.ok(this.frontier.wakesAt() > this.now, 'who has nothing to give now says when it will')
      return
    }
    assert.ok(
      this.visits.every((visit) => visit.lease.site !== lease.site),
      'one lease a site',
    )
    this.visits.push({ lease, task: lease.first, address: undefined })
    this.#taken(lease.first)
  }

  #taken(task: Task): void {
    if (task.kind === 'prerequisite') return
    const page = this.model.pages.get(task.url)!
    assert.deepEqual([page.state, page.tries], ['waiting', task.tries])
    page.state = 'leased'
  }

  #place(visit: Visit, address: string): void {
    if (visit.address !== undefined) return
    if (this.frontier.place(visit.lease, address, this.now)) {
      assert.ok(
        this.visits.every((other) => other.address !== address),
        'one connection an address',
      )
      this.#rested(visit.lease.site.origin)
      this.#rested(address)
      visit.address = address
    } else {
      this.visits = this.visits.filter((other) => other !== visit)
      if (visit.task?.kind === 'page') this.#unlease(visit.task)
    }
  }

  #ask(visit: Visit, b: number, c: number): void {
    const { task, lease } = visit
    if (visit.address === undefined || task === undefined) return
    this.frontier.answered(lease, { endedAt: this.now, tookMs: [5, 300][b % 2]!, overloaded: c === 0 })
    visit.task = undefined
    if (task.kind === 'page') this.unsettled.push(task.page)
    else if (c < 4) this.frontier.closeGate(task.prerequisite.onBehalfOf, this.now + 10_000)
    else this.frontier.openGate(task.prerequisite.onBehalfOf, this.now + 30_000, 0, this.now)
  }

  #next(visit: Visit): void {
    if (visit.address === undefined || visit.task !== undefined) return
    const step = this.frontier.next(visit.lease, this.now)
    if (step === undefined) return
    visit.task = step.task
    this.#taken(step.task)
  }

  #settle(a: number, disposition: Disposition): void {
    const page = this.unsettled[a % Math.max(1, this.unsettled.length)]
    if (page === undefined) return
    this.unsettled = this.unsettled.filter((other) => other !== page)
    this.frontier.settle(page, disposition, 10, 3)
    const model = this.#modelOf(page)
    if (model.state !== 'leased') return
    const tries = model.tries + 1
    if (disposition === 'retry')
      Object.assign(model, tries < MAX_TRIES ? { state: 'waiting', tries } : { state: 'failed', tries })
    else if (disposition === 'failed') Object.assign(model, { state: 'failed', tries })
    else model.state = disposition
  }

  #release(visit: Visit): void {
    const { lease, task, address } = visit
    this.visits = this.visits.filter((other) => other !== visit)
    if (task?.kind === 'page') {
      this.frontier.settle(task.page, 'waiting')
      this.#unlease(task)
    } else if (task?.kind === 'prerequisite') this.frontier.runPrerequisite(lease.site.id, task.prerequisite)
    this.frontier.release(lease, this.now)
    if (lease.requests === 0 || address === undefined) return
    const rest = this.now + Math.max(politeness.delayMs, lease.slowestMs * politeness.slowdown)
    for (const name of [lease.site.origin, address]) this.model.rests.set(name, rest)
  }

  #unlease(task: Extract<Task, { kind: 'page' }>): void {
    const page = this.model.pages.get(task.url)!
    if (page.state === 'leased') page.state = 'waiting'
  }

  #change(a: number, run: (page: number) => void, state: PageState): void {
    if (this.frontier.pages.count === 0) return
    const page = a % this.frontier.pages.count
    run(page)
    Object.assign(this.#modelOf(page), { state, tries: 0 })
  }

  #admit(a: number): void {
    const { count } = this.frontier.pages
    const model = count === 0 ? undefined : this.#modelOf(a % count)
    if (model?.state === 'done' || model?.state === 'failed')
      this.#change(a, (page) => this.frontier.admit(page), 'waiting')
  }

  async #drain(): Promise<void> {
    await this.#store.store(this.frontier.drain())
    this.frontier.stored()
    this.kept = structuredClone(this.model)
    for (const page of this.kept.pages.values()) if (page.state === 'leased') page.state = 'waiting'
  }

  async #restart(): Promise<void> {
    this.finishVisits()
    await this.#drain()
    this.#reopen(true)
  }

  /** Visits under way count as having ended just now. */
  #kill(): void {
    for (const { lease, address } of this.visits)
      if (address !== undefined) this.kept.rests.set(lease.site.origin, 0).set(address, 0)
    for (const name of this.model.rests.keys()) if (!this.kept.rests.has(name)) this.kept.rests.set(name, 0)
    for (const [name, rest] of this.kept.rests) this.kept.rests.set(name, Math.max(rest, this.now + politeness.delayMs))
    this.visits = []
    this.unsettled = []
    this.#reopen(false)
  }

  #reopen(clean: boolean): void {
    this.frontier = frontierOver(this.#store, this.#options)
    this.frontier.restore(this.#store, this.now, clean)
    this.model = structuredClone(this.kept)
  }

  finishVisits(): void {
    while (this.visits[0] !== undefined) this.#release(this.visits[0])
    while (this.unsettled.length > 0) this.#settle(0, 'done')
  }

  #rested(name: string): void {
    const rest = this.model.rests.get(name) ?? 0
    assert.ok(this.now >= rest, `${name} rests until ${rest}, it is ${this.now}`)
  }

  #modelOf(page: number): ModelPage {
    return this.model.pages.get(this.frontier.urlOf(page))!
  }

  check(): void {
    const { frontier, model } = this
    const pages = [...model.pages.values()]
    assert.equal(frontier.pages.count, pages.length)
    for (const state of PAGE_STATES) {
      assert.equal(frontier.count(state), pages.filter((page) => page.state === state).length, state)
    }
    for (let seed = 0; seed < SEEDS; seed++) {
      const open = pages.filter((page) => page.seed === seed && (page.state === 'waiting' || page.state === 'leased'))
      assert.equal(frontier.openOf(seed), open.length, `open pages of seed ${seed}`)
    }
    for (const [url, page] of model.pages) {
      const id = frontier.findUrl(url)
      assert.equal(PAGE_STATES[frontier.pages.stateOf(id)], page.state, url)
      if (page.state === 'waiting' || page.state === 'failed') assert.equal(frontier.pages.triesOf(id), page.tries, url)
    }
    assert.equal(frontier.out, this.visits.length)
    for (const site of frontier.sites) {
      const leased = [...model.pages].filter(
        ([url, page]) => page.state === 'leased' && url.startsWith(`${site.origin}/`),
      )
      assert.equal(site.leased, leased.length, `${site.origin}: pages on their way`)
      assert.ok(site.waiting === 0 || site.place !== 'idle' || site.gateAsked, `${site.origin} is not forgotten`)
    }
  }

  /** Given time and good answers, everything that waits is visited: nothing was lost on the way. */
  finish(): void {
    this.finishVisits()
    for (let rounds = 0; this.frontier.wakesAt() !== Infinity; rounds++) {
      assert.ok(rounds < 1_000, 'it comes to an end')
      this.now = Math.max(this.now, this.frontier.wakesAt())
      this.#lease()
      const visit = this.visits[0]
      if (visit === undefined) continue
      this.#place(visit, 'x0')
      this.#ask(visit, 0, 5)
      this.finishVisits()
    }
    assert.equal(this.frontier.count('waiting'), 0)
  }
}

export function frontierModelSuite(name: string, makeStore: MakeFrontierStore, numRuns: number): void {
  test(`${name}: after any sequence of calls the books are right, everybody was rested, and nobody is forgotten`, async (t) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(CRAWLABLE.length - 1), fc.boolean(), async (list, order, gates) => {
        const world = new World(await makeStore(t), order, gates)
        for (const step of list) {
          await world.step(step)
          world.check()
        }
        world.finish()
        world.check()
      }),
      { numRuns },
    )
  })
}
