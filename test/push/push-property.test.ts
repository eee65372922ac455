// Runs alone: it moves the clock.
/**
 * Whatever the interleaving of edits, of what is sent, by any scheme, lost, doubled, late and out of order, of visits, and of
 * restarts of the watch: the collection ends with the newest version that the site served, and has stored none twice in a row.
 *
 * Each interleaving is a site of its own with a script, a line and a clock drawn from the seed; all are watched together.
 * COMITY_SEED=… repeats a run, `npm run torture:push` makes more of them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeyRing } from '@comity/protocol'
import type { SentEvent } from '@comity/ingest'
import { policyNamed } from '@comity/frontier'
import { indexNowSubscriber, pushSchedule, pushSubscriber } from '@comity/site'
import type { DeliveryWorkerState, PushScheme } from '@comity/site'
import { amount } from '@comity/protocol/testing'
import { createRandom, seedOf } from '../../packages/testbed/src/seeded-random.ts'
import type { Random } from '../../packages/testbed/src/seeded-random.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite } from '../watch/cooperating-site.ts'
import { FaultyLine } from '../crawl/faulty-line.ts'
import { heldPages } from '../crawl/held-pages.ts'
import type { HeldPages } from '../crawl/held-pages.ts'
import { CALLS_ONLY, page, PushWatch, until } from './push-watch.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

const firstSeed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
const rounds = amount(1, 10)
const count = amount(18, 360)

const PATHS = ['/', '/a', '/b', '/c'] as const
const STEPS = 24
const INDEXNOW_KEY = 'key-of-this-site'
/** Clocks may differ by a minute where requests are signed. */
const HURRY_MS = 15_000
/** By what each is heard: a subscription, an address that is written down, or notices. */
const WAYS = ['pages', 'differences', 'batches', 'changes', 'push pages', 'push differences', 'indexnow'] as const

class Interleaving {
  readonly site: CooperatingSite
  readonly way: (typeof WAYS)[number]
  readonly line: FaultyLine
  readonly truth: Map<string, string | undefined>
  readonly #random: Random
  readonly #clock: { aheadMs: number }
  #versions = 1

  private constructor(
    parts: Pick<Interleaving, 'site' | 'way' | 'line' | 'truth'>,
    random: Random,
    clock: { aheadMs: number },
  ) {
    this.site = parts.site
    this.way = parts.way
    this.line = parts.line
    this.truth = parts.truth
    this.#random = random
    this.#clock = clock
  }

  static async create(seed: number, number: number): Promise<Interleaving> {
    const random = createRandom(seedOf(seed, number))
    const way = WAYS[number % WAYS.length]!
    const clock = { aheadMs: random.between(-40_000, -10_000) }
    const line = new FaultyLine(random, 0)
    const ring = newKeyRing(Buffer.alloc(32, 1 + (number % 250)), Date.now() - 86_400_000)
    const isSubscription = !way.includes(' ') && way !== 'indexnow'
    const truth = new Map<string, string | undefined>(PATHS.map((path) => [path, text(path, 1)]))
    const site = await createCooperatingSite(Object.fromEntries(truth) as Record<string, string>, {
      // One visitor at a time for an address.
      address: `127.0.${52 + Math.floor(number / 250)}.${1 + (number % 250)}`,
      schemes: way === 'changes' ? [...CALLS_ONLY, 'resourcesync'] : CALLS_ONLY,
      now: () => Date.now() + clock.aheadMs,
      calls: {
        line: line.wrap,
        keys: { ring: () => ring },
        indexNowKey: INDEXNOW_KEY,
        schedule: pushSchedule('every 1 s'),
        topics: isSubscription ? [way as PushScheme] : ['agent'],
      },
    })
    return new Interleaving({ site, way, line, truth }, random, clock)
  }

  /** Those that are written down; the others subscribe by themselves. */
  async addressTo(doors: string): Promise<void> {
    const { site, way } = this
    const [kind, scheme] = way.split(' ')
    if (kind === 'push')
      await site.subscribers.put(
        pushSubscriber({
          url: `${doors}/push`,
          scheme: scheme as PushScheme,
          base: `${site.origin}/`,
          begins: site.last,
        }),
      )
    if (kind === 'indexnow') await site.subscribers.put(indexNowSubscriber(`${doors}/indexnow`, site.last))
  }

  /** A few steps of its script. */
  async act(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.#step()
      await this.line.deliverLate(0.3)
      await sleep(this.#random.between(0, 120))
    }
  }

  async #step(): Promise<void> {
    const random = this.#random
    const path = random.pick(PATHS.slice(1))
    const act = random.int(10)
    if (act < 6) return await this.#set(path, text(path, ++this.#versions))
    if (act < 8) return await this.#set(path, undefined)
    // Put back as it was at first.
    return await this.#set(path, text(path, 1))
  }

  async #set(path: string, body: string | undefined): Promise<void> {
    this.truth.set(path, body)
    await this.site.set(path, body)
  }

  /** What waits for its next try need not. */
  hurry(): void {
    this.#clock.aheadMs += HURRY_MS
  }
}

const text = (path: string, version: number): string =>
  page(`Version ${version} of ${path}`, ...(path === '/' ? PATHS.slice(1) : []))

const isTold = ({ waiting }: DeliveryWorkerState): boolean => waiting === 0

function waitingOf({ site, way }: Interleaving): string[] {
  const waiting = site.deliveryWorker.states().filter((state) => !isTold(state))
  return waiting.map(({ failures, trouble }) => `${way}, after ${failures} failures: ${trouble ?? 'none'}`)
}

interface Wrong {
  readonly one: Interleaving
  readonly path: string
  readonly captures: string | undefined
}

function wrongIn(all: readonly Interleaving[], { texts, stories }: HeldPages): Wrong[] {
  return all.flatMap((one) =>
    [...one.truth]
      .filter(([path, body]) => texts.get(one.site.origin + path) !== body)
      .map(([path]) => ({ one, path, captures: stories.get(one.site.origin + path) })),
  )
}

/** All that both sides remember of a page that is not as it should be. */
function storyOf({ one, path, captures }: Wrong, lives: readonly (readonly SentEvent[])[]): string {
  const { deliveryWorker, origin } = one.site
  // What could not be read has no page.
  const isOfIt = (event: SentEvent): boolean =>
    event.origin === origin && (event.url ?? origin + path) === origin + path
  const letters = deliveryWorker.deadLetters().map(({ path: of, reason, message }) => `${of} ${reason} ${message}`)
  return [
    `${path} by ${one.way}, which should be ${one.truth.get(path)?.slice(7, 40) ?? 'gone'}`,
    `held: ${captures}`,
    `sent: ${lives.map((events) => events.filter(isOfIt).map(({ outcome }) => outcome)).join(' | ')}`,
    `dead letters: ${letters.join(' ')}`,
  ].join('; ')
}

for (let round = 0; round < rounds; round++) {
  const seed = firstSeed + round
  test(`${count} interleavings end with what the sites serve, once (COMITY_SEED=${seed} repeats them)`, async (t) => {
    await check(seed, t)
  })
}

async function check(seed: number, t: TestContext): Promise<void> {
  await using sites = new AsyncDisposableStack()
  const all = await Promise.all(Array.from({ length: count }, (_, number) => Interleaving.create(seed, number)))
  for (const { site } of all) sites.use(site)
  const into = newDirectory()
  await quickCrawl(
    into,
    all.map(({ site }) => `${site.origin}/`),
    { dumps: false },
  )
  const subscribeTo = ['pages', 'differences', 'batches', 'changes'] as const
  // DeliveryWorkers rest for real seconds, so a minute in which something is to be sent has to be one.
  const real = { dayMs: 86_400_000, subscriptions: count, subscribeTo }
  // Pages are visited all the time, whoever says what.
  const busy = { ...real, policy: policyNamed('uniform'), requestsPerSecond: 150 }
  const lives: (readonly SentEvent[])[] = []
  let port = 0
  for (let life = 0; life < 3; life++) {
    await using watch = new PushWatch(into, { watch: busy, port, crawl: { parallel: 8 } })
    await watch.opened
    port = watch.port
    if (life === 0) {
      for (const one of all) await one.addressTo(watch.doors.url)
      await until('all are heard', () => all.every(({ site }) => [...site.subscribers.all()].length > 0))
    }
    for (const one of all) {
      one.hurry()
      one.line.faults = 0.4
    }
    await Promise.all(all.map((one) => one.act(STEPS / 3)))
    lives.push(watch.events)
  }
  // While nobody listens, and then without any visit but those that what is sent leads to.
  await Promise.all(all.map((one) => one.act(2)))
  await using watch = new PushWatch(into, { watch: real, port, crawl: { parallel: 8 } })
  lives.push(watch.events)
  await watch.opened
  for (const one of all) {
    one.line.faults = 0
    one.hurry()
  }
  const areTold = (): boolean => all.every(({ site }) => site.deliveryWorker.states().every(isTold))
  await until('everybody is told', areTold)
    .catch(async () => {
      // A call that was under way when the faults ended may have failed since: who failed six times rests for a minute.
      for (const one of all) one.hurry()
      await until('everybody is told', areTold)
    })
    .catch(() => assert.fail(`still to be told: ${all.flatMap(waitingOf).join('; ')}`))
  // The last things to arrive are old ones.
  await Promise.all(all.map((one) => one.line.deliverLate(1)))
  let wrong: Wrong[] = []
  const isServed = async (): Promise<boolean> => (wrong = wrongIn(all, await heldPages(into))).length === 0
  // A visit that failed rests before the next.
  const patiently = (): Promise<void> => until('the newest of all, patiently', isServed)
  await until('the newest of all', isServed)
    .catch(patiently)
    .catch(() => assert.fail(`not what is served:\n${wrong.map((one) => storyOf(one, lives)).join('\n')}`))
  assert.deepEqual((await heldPages(into)).doubled, [])
  const outcomes = Map.groupBy(lives.flat(), ({ outcome }) => outcome)
  t.diagnostic([...outcomes].map(([outcome, { length }]) => `${outcome} ${length}`).join(', '))
}
