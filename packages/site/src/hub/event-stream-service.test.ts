import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headerOf, readChanges } from '@comity/protocol'
import { EventReader } from '@comity/protocol/testing'
import type { ReceivedEvent } from '@comity/protocol/testing'
import type { HeaderList } from '@comity/protocol'
import { BASE, requestOf, SampleSite } from '../testing/site-sample.ts'
import type { SiteOptions } from '../site-options.ts'
import type { SiteAnswer } from '../site-request.ts'

const PATH = '/push/events'

/** Somebody who listens: `next` reads on until a message comes. */
class Ear {
  readonly reader = new EventReader()
  readonly comments: string[] = []
  readonly #chunks: AsyncIterator<Uint8Array>
  #waiting: ReceivedEvent[] = []

  constructor({ status, body }: SiteAnswer) {
    assert.equal(status, 200)
    assert.ok(!(body instanceof Uint8Array))
    this.#chunks = body[Symbol.asyncIterator]()
  }

  async next(): Promise<ReceivedEvent | 'end'> {
    while (this.#waiting.length === 0) if ((await this.piece()) === 'end') return 'end'
    return this.#waiting.shift()!
  }

  async piece(): Promise<string> {
    const { value, done } = await this.#chunks.next()
    if (done === true) return 'end'
    this.#waiting.push(...this.reader.write(value))
    return Buffer.from(value).toString('utf8')
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}

async function listen(sample: SampleSite, path = PATH, headers: HeaderList = []): Promise<Ear> {
  const answer = await sample.site.answer(requestOf(path, { headers }))
  assert.ok(answer !== undefined)
  return new Ear(answer)
}

async function statusOf(sample: SampleSite, path = PATH, headers: HeaderList = []): Promise<number | undefined> {
  return (await sample.site.answer(requestOf(path, { headers })))?.status
}

async function site(t: { after: (end: () => void) => void }, options: Partial<SiteOptions> = {}): Promise<SampleSite> {
  const sample = new SampleSite(options)
  t.after(() => sample.site[Symbol.dispose]())
  await sample.put({ '/': 'home', '/a.html': 'a' })
  return sample
}

const urlsOf = (...events: (ReceivedEvent | 'end')[]): string[] =>
  events.map((event) => {
    if (event === 'end') return 'end'
    const [entry] = readChanges(event.data).entries
    return entry === undefined ? event.event : `${entry.change} ${new URL(entry.url).pathname}`
  })

test('a stream is one, begins now, and tells each change with all that the filter tells', async (t) => {
  const sample = await site(t)
  const answer = await sample.site.answer(requestOf(PATH))
  assert.equal(headerOf(answer!.headers, 'content-type'), 'text/event-stream')
  assert.equal(headerOf(answer!.headers, 'cache-control'), 'no-store')
  const ear = new Ear(answer!)
  const start = await ear.next()
  assert.ok(start !== 'end' && start.event === 'start' && ear.reader.retryMs === 2_000)
  const [edition, number] = start.id.split('.')
  assert.deepEqual([edition?.length, number], [16, '2'])
  const change = ear.next()
  await sample.put({ '/a.html': 'a2' })
  sample.site.wake()
  const told = await change
  assert.ok(told !== 'end')
  assert.equal(told.id, `${edition}.3`)
  const page = sample.journal.page('/a.html')!
  assert.deepEqual(readChanges(told.data).entries, [
    {
      url: 'https://a.example/a.html',
      change: 'updated',
      changedAt: sample.now,
      modifiedAt: page.modifiedAt,
      bytes: 2,
      type: 'text/html',
      digest: page.digest,
    },
  ])
})

test('ten edits that came together are one, and a page that came and went is none', async (t) => {
  const sample = await site(t)
  const ear = await listen(sample)
  await ear.next()
  for (let i = 0; i < 10; i++) await sample.put({ '/a.html': `edit ${i}` })
  await sample.put({ '/brief.html': 'x' })
  await sample.put({ '/brief.html': null, '/': null })
  const events = ear.next()
  sample.site.wake()
  assert.deepEqual(urlsOf(await events, await ear.next()), ['updated /a.html', 'deleted /'])
  assert.ok(ear.reader.lastId.endsWith('.15'))
})

test('whoever was cut off goes on from the last id, by header or by query', async (t) => {
  const sample = await site(t)
  const first = await listen(sample)
  await first.next()
  await first.close()
  await sample.put({ '/b.html': 'b' })
  for (const again of [
    await listen(sample, PATH, [['Last-Event-ID', first.reader.lastId]]),
    await listen(sample, `${PATH}?since=${first.reader.lastId}`),
  ]) {
    assert.deepEqual(urlsOf(await again.next(), await again.next()), ['start', 'created /b.html'])
    await again.close()
  }
})

test('only what was asked for is told, and the id moves on for the rest', async (t) => {
  const sample = await site(t)
  const ear = await listen(sample, `${PATH}?types=text/html&prefixes=/docs/,/blog/`)
  await ear.next()
  await sample.put({ '/a.html': 'a2' })
  const piece = ear.piece()
  sample.site.wake()
  assert.match(await piece, /^id: [0-9a-f]{16}\.3\n\n$/)
  await sample.put({ '/docs/1.pdf': 'pdf' }, { type: 'application/pdf' })
  await sample.put({ '/docs/1.html': 'one', '/blog/1.html': 'two' })
  const events = ear.next()
  sample.site.wake()
  assert.deepEqual(urlsOf(await events, await ear.next()), ['created /docs/1.html', 'created /blog/1.html'])
  assert.ok(ear.reader.lastId.endsWith('.6'))
})

const refusals: [sentence: string, path: string, headers: HeaderList, expected: number][] = [
  ['an id of another edition', PATH, [['Last-Event-ID', '0123456789abcdef.1']], 410],
  ['an id that was never given', PATH, [['Last-Event-ID', 'hello']], 410],
  ['an empty id', PATH, [['Last-Event-ID', '']], 200],
  ['a filter that is none', `${PATH}?colour=red`, [], 422],
]
for (const [sentence, path, headers, expected] of refusals) {
  test(`${sentence} is answered by ${expected}`, async (t) => {
    assert.equal(await statusOf(await site(t), path, headers), expected)
  })
}

test('an id whose changes were dropped is too old before, and a reset while it is listened to', async (t) => {
  const sample = new SampleSite({}, { limits: { changes: 10 } })
  t.after(() => sample.site[Symbol.dispose]())
  await sample.put({ '/': 'home' })
  const ear = await listen(sample)
  await ear.next()
  const old = ear.reader.lastId
  for (let i = 0; i < 30; i++) await sample.put({ '/a.html': `edit ${i}` })
  sample.journal.compact(sample.now)
  assert.ok(sample.journal.since > 1, 'the journal has forgotten')
  assert.equal(await statusOf(sample, PATH, [['Last-Event-ID', old]]), 410)
  const reset = ear.next()
  sample.site.wake()
  assert.deepEqual(urlsOf(await reset), ['reset'])
  const change = ear.next()
  await sample.put({ '/b.html': 'b' })
  sample.site.wake()
  assert.deepEqual(urlsOf(await change), ['created /b.html'], 'and it goes on from there')
})

test('other rules in robots.txt are a reset, and what they disallow is not told any more', async (t) => {
  let robots = ''
  const sample = await site(t, { robots: () => robots })
  const ear = await listen(sample)
  await ear.next()
  robots = 'User-agent: *\nDisallow: /private/\n'
  const reset = ear.next()
  await sample.put({ '/private/1.html': 'x' })
  sample.site.wake()
  assert.deepEqual(urlsOf(await reset), ['reset'])
  const change = ear.next()
  await sample.put({ '/private/2.html': 'x', '/b.html': 'b' })
  sample.site.wake()
  assert.deepEqual(urlsOf(await change), ['created /b.html'])
})

test('a comment says every fifteen seconds that somebody is still there', async (t) => {
  const sample = await site(t)
  const ear = await listen(sample)
  await ear.next()
  const piece = ear.piece()
  sample.now += 15_000
  sample.site.wake()
  assert.equal(await piece, ': still here\n\n')
})

test('no more listen than may: the next is asked to come later, until one goes', async (t) => {
  const sample = await site(t, { limits: { eventStreams: 2 } })
  const ears = [await listen(sample), await listen(sample)]
  for (const ear of ears) await ear.next()
  const answer = await sample.site.answer(requestOf(PATH))
  assert.deepEqual([answer?.status, headerOf(answer!.headers, 'retry-after')], [503, '60'])
  await ears[0]!.close()
  assert.equal(await statusOf(sample), 200)
})

test('several who were let in at the same moment do not become more than may', async (t) => {
  const sample = await site(t, { limits: { eventStreams: 1 } })
  const [one, two] = [await listen(sample), await listen(sample)]
  assert.deepEqual(urlsOf(await one.next()), ['start'])
  assert.equal(await two.next(), 'end')
})

test('nothing is gathered for whoever does not read, and its place is taken', async (t) => {
  const sample = await site(t, { limits: { eventStreams: 1 } })
  const deaf = await listen(sample)
  await deaf.next()
  for (let i = 0; i < 500; i++) await sample.put({ [`/${i}.html`]: 'x' })
  sample.now += 60_000
  sample.site.wake()
  const other = await listen(sample)
  assert.deepEqual(urlsOf(await other.next()), ['start'])
})

test('a stream ends after its time, and with the site', async (t) => {
  const sample = await site(t, { limits: { eventStreamMs: 5_000 } })
  const [one, two] = [await listen(sample), await listen(sample)]
  await one.next()
  const end = one.next()
  sample.now += 5_000
  sample.site.wake()
  assert.equal(await end, 'end')
  await two.next()
  const stopped = two.next()
  sample.site[Symbol.dispose]()
  assert.equal(await stopped, 'end')
})

test('HEAD, OPTIONS and POST are answered as of a document', async (t) => {
  const sample = await site(t)
  const asked = async (method: string): Promise<number | undefined> =>
    (await sample.site.answer(requestOf(PATH, { method })))?.status
  assert.deepEqual([await asked('HEAD'), await asked('OPTIONS'), await asked('POST')], [200, 204, 405])
})

test('whatever is cut off wherever, whoever comes again with its last id misses no page and none stays as it was', async () => {
  const step = fc.record({ page: fc.nat(5), isGone: fc.boolean(), isCut: fc.boolean(), isRead: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const sample = new SampleSite()
      const known = new Map<string, string | undefined>()
      let ear = await listen(sample)
      await ear.next()
      const isBehind = (): boolean => Number(ear.reader.lastId.split('.')[1]) < sample.journal.last
      // By pieces: of what came and went between two looks there is no message, only an id.
      const take = async (): Promise<void> => {
        sample.site.wake()
        for (const [, data = ''] of (await ear.piece()).matchAll(/^data: (.*)$/gm))
          for (const { url, change, digest } of readChanges(data).entries)
            if (change === 'deleted') known.delete(url)
            else known.set(url, digest)
      }
      let edits = 0
      for (const { page, isGone, isCut, isRead } of steps) {
        await sample.put({ [`/${page}.html`]: isGone ? null : `edit ${edits++}` })
        if (isRead && isBehind()) await take()
        if (isCut) {
          await ear.close()
          ear = await listen(sample, PATH, [['Last-Event-ID', ear.reader.lastId]])
          await ear.next()
        }
      }
      while (isBehind()) await take()
      const pages = [...sample.journal.pages()].map(({ path, digest }): [string, string] => [
        `${BASE}${path.slice(1)}`,
        digest,
      ])
      assert.deepEqual(known, new Map(pages))
      await ear.close()
    }),
    { numRuns: 60 },
  )
})
