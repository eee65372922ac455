import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { PushedSample } from '../testing/delivery-worker-fixture.ts'
import type { DeliveryWorkerRows, MemoryRow } from './delivery-worker-memory.ts'
import { MemoryRows } from './delivery-worker-memory.ts'
import type { Behaviour } from '../testing/push-receiver-fixture.ts'
import type { PushScheme } from '../hub/subscriber.ts'

/** Rows of a process that is killed after so many writes: what came before is there, and nothing else ever will be. */
class MortalRows implements DeliveryWorkerRows {
  readonly #rows: DeliveryWorkerRows
  left = Infinity

  constructor(rows: DeliveryWorkerRows) {
    this.#rows = rows
  }

  get(name: string): MemoryRow | undefined {
    return this.#rows.get(name)
  }

  all(): Iterable<MemoryRow> {
    return this.#rows.all()
  }

  async put(name: string, row: MemoryRow): Promise<void> {
    this.#live()
    await this.#rows.put(name, row)
  }

  async drop(name: string): Promise<void> {
    this.#live()
    await this.#rows.drop(name)
  }

  #live(): void {
    if (this.left-- <= 0) throw new Error('killed')
  }
}

type Act =
  | { readonly kind: 'edit'; readonly page: number; readonly text: number }
  | { readonly kind: 'delete'; readonly page: number }
  | { readonly kind: 'receive'; readonly behaviours: Behaviour[]; readonly most: number }
  | { readonly kind: 'send'; readonly laterMs: number }
  | { readonly kind: 'kill'; readonly afterWrites: number }
  | { readonly kind: 'compact' }
  | { readonly kind: 'rules'; readonly disallowed: number }

const page = fc.nat(5)
const behaviour: fc.Arbitrary<Behaviour> = fc.constantFrom<Behaviour[]>(
  'take',
  'take-and-cut',
  'take-and-500',
  'cut',
  'garbage',
  { status: 500 },
  { status: 503, headers: { 'retry-after': '30' } },
  { status: 429 },
  { status: 403 },
  { status: 409 },
  { status: 302, headers: { location: '/elsewhere' } },
)
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit'), page, text: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), page }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('receive'),
      behaviours: fc.array(behaviour, { maxLength: 4 }),
      most: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send'), laterMs: fc.constantFrom(0, 5_000, 7_200_000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill'), afterWrites: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rules'), disallowed: page }) },
)

const LONG = 'words that stay, '.repeat(20)
const textOf = (number: number, text: number): string => `<p>${LONG}${number}</p><p>${text}</p>`

/** A site, a receiver and a delivery worker through all of it; then everybody is well, and has time. */
async function through(t: TestContext, scheme: PushScheme, acts: readonly Act[]): Promise<PushedSample> {
  let [robots, most] = ['', 3]
  const pushed = await PushedSample.make(t, {
    site: { robots: () => robots },
    journal: { limits: { changes: 4 } },
    subscriber: { scheme },
    limits: { pages: 3 },
  })
  const { receiver, sample } = pushed
  const isPublic = (path: string): boolean => !robots.includes(`Disallow: ${path}\n`)
  receiver.judge = ({ paths }) => {
    for (const path of paths) if (!isPublic(path)) receiver.faults.push(`${path} is private`)
    return paths.length > most ? { status: 413 } : undefined
  }
  // A crawler asks for what it was told of, and gets what is there.
  receiver.ask = (path) => (isPublic(path) ? sample.bodies.get(path) : undefined)
  const rows = new MemoryRows()
  let mortal = new MortalRows(rows)
  const restart = (): void => {
    mortal = new MortalRows(rows)
    pushed.restartedOn(mortal)
  }
  restart()
  for (const one of acts) {
    if (one.kind === 'edit') await pushed.put({ [`/${one.page}`]: textOf(one.page, one.text) })
    else if (one.kind === 'delete') await pushed.put({ [`/${one.page}`]: null })
    else if (one.kind === 'receive') [receiver.behaviours, most] = [[...one.behaviours], one.most]
    else if (one.kind === 'compact') sample.journal.compact(sample.now)
    else if (one.kind === 'rules') robots = `User-agent: *\nDisallow: /${one.disallowed}\n`
    else {
      if (one.kind === 'kill') mortal.left = one.afterWrites
      else sample.now += one.laterMs
      await pushed.drain()
      if (one.kind === 'kill') restart()
    }
  }
  receiver.behaviours = []
  robots = ''
  sample.now += 86_400_000
  await pushed.drainAll()
  return pushed
}

for (const scheme of ['differences', 'pages'] as const) {
  test(`${scheme}: whatever happens to site, receiver and courier, the receiver ends with the newest version of every page`, async (t) => {
    let [records, asked] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40, size: 'max' }), async (acts) => {
        const { receiver, deliveryWorker, ...pushed } = await through(t, scheme, acts)
        try {
          records += receiver.records.length
          asked += receiver.asked.length
          assert.deepEqual(receiver.faults, [])
          const expected = [...pushed.sample.bodies].map(([path, body]) => [path, body.toString()] as const)
          assert.deepEqual(receiver.texts(), Object.fromEntries(expected))
          assert.deepEqual(deliveryWorker.deadLetters(), [])
        } finally {
          await receiver[Symbol.asyncDispose]()
        }
      }),
      { numRuns: 120 },
    )
    t.diagnostic(`${records} records, ${asked} pages asked for`)
  })
}

test('pages that only grow are never seen to shrink, whatever fails', async (t) => {
  const grown = fc.array(fc.tuple(page, fc.array(behaviour, { maxLength: 3 }), fc.boolean()), {
    maxLength: 30,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(grown, async (steps) => {
      const pushed = await PushedSample.make(t, { limits: { pages: 2 } })
      const { receiver, sample } = pushed
      const seen = new Map<string, number>()
      receiver.onPage = (path, body) => {
        const version = Number(/version (\d+)/.exec(body.toString())?.[1])
        assert.ok(version >= (seen.get(path) ?? 0), `${path} went from ${seen.get(path)} to ${version}`)
        seen.set(path, version)
      }
      for (const [version, [number, behaviours, isRestarted]] of steps.entries()) {
        receiver.behaviours = [...behaviours]
        await pushed.put({ [`/${number}`]: `${LONG} version ${version + 1}` })
        await pushed.drain()
        sample.now += 10_000
        if (isRestarted) pushed.restarted()
      }
      receiver.behaviours = []
      await pushed.drainAll()
      assert.deepEqual(receiver.texts(), pushed.texts())
      await receiver[Symbol.asyncDispose]()
    }),
    { numRuns: 40 },
  )
})
