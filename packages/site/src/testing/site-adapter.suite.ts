/** Site adapter suite: what every way in has to do, whatever framework it is for. Each runs on the real one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyDelta,
  BATCH_PATH,
  BATCH_TYPE,
  decodeBody,
  decodeWithDictionary,
  HOST_FIELDS,
  offerDictionary,
  readBatchAnswer,
  STEERING_FIELDS,
  writeBatch,
} from '@comity/protocol'
import { spellingsOf } from '@comity/protocol/testing'
import fc from 'fast-check'
import { AdapterSample, HOST, sampleHtml } from './adapter-sample.ts'
import type { Got, StartSite } from './adapter-sample.ts'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { etagOf } from '../page-etag.ts'
import { DICTIONARY_PATH } from '../serve/site-dictionary.ts'
import type { SiteFrontOptions } from '../site-front.ts'
import { digestOf } from '../journal/version-store.ts'

const LIMITS = { maxBytes: 1 << 20 }
const PAGE = Buffer.from(sampleHtml('Bread'))
const TAG = etagOf(digestOf(PAGE))

export function siteAdapterSuite(name: string, start: StartSite): void {
  const running = async (options: Partial<SiteFrontOptions> = {}): Promise<AdapterSample> =>
    await new AdapterSample(options).start(start)

  test(`${name}: a page gets a strong tag, the instant of its change, a digest, and is recorded`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    const first = await sample.ask('/bread')
    assert.equal(first.status, 200)
    assert.equal(first.headers.etag, TAG)
    assert.equal(first.headers['last-modified'], undefined, 'its second is not over')
    assert.equal(
      first.headers['repr-digest'],
      `sha-256=:${Buffer.from(digestOf(PAGE).slice(8), 'hex').toString('base64')}:`,
    )
    assert.match(first.headers.vary ?? '', /accept-encoding, available-dictionary/)
    assert.deepEqual(first.body, PAGE)
    assert.equal(sample.journal.page('/bread')?.digest, digestOf(PAGE))
    const [recordedAt] = [sample.now, (sample.now += 5_000)]
    const later = await sample.ask('/bread')
    assert.equal(later.headers['last-modified'], new Date(recordedAt).toUTCString())
    assert.equal(sample.journal.last, 1, 'what is the same is recorded once')
  })

  test(`${name}: whoever has the page is told so, by tag or by date`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    await sample.ask('/bread')
    sample.now += 5_000
    const { headers } = await sample.ask('/bread')
    const conditions = [
      { 'if-none-match': TAG },
      { 'if-none-match': `W/${TAG}, "x"` },
      { 'if-modified-since': headers['last-modified']! },
    ]
    for (const condition of conditions) {
      const got = await sample.ask('/bread', { headers: condition })
      assert.equal(got.status, 304)
      assert.equal(got.body.length, 0)
      assert.equal(got.headers.etag, TAG)
      assert.equal(got.headers['content-type'], undefined)
    }
    const others = [
      { 'if-none-match': '"other"' },
      { 'if-modified-since': new Date(sample.now - 86_400_000).toUTCString() },
    ]
    for (const condition of others) assert.equal((await sample.ask('/bread', { headers: condition })).status, 200)
    assert.equal((await sample.ask('/bread', { headers: { 'if-match': '"other"' } })).status, 412)
  })

  test(`${name}: whoever has an earlier version gets the difference`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    await sample.ask('/bread')
    const changed = Buffer.from(sampleHtml('Bread', 2))
    sample.app.put('/bread', changed)
    sample.now += 60_000
    const got = await sample.ask('/bread', { headers: { 'if-none-match': TAG, 'a-im': 'vcdiff, gzip' } })
    assert.equal(got.status, 226)
    assert.equal(got.headers['delta-base'], TAG)
    assert.ok(got.body.length < 100, `${got.body.length} bytes`)
    const applied = applyDelta({ status: 226, headers: got.fields, body: got.body }, new Map([[TAG, PAGE]]), LIMITS)
    assert.ok(applied.kind === 'ok' && applied.isVerified)
    assert.deepEqual(Buffer.from(applied.body), changed)
    const packed = await sample.ask('/bread', {
      headers: { ...Object.fromEntries(offerDictionary(PAGE, '')), 'accept-encoding': 'gzip, dcz, dcb' },
    })
    assert.equal(packed.headers['content-encoding'], 'dcz')
    assert.deepEqual(undone('dcz', packed, PAGE), changed)
  })

  test(`${name}: a page is packed as the asker likes`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    for (const coding of ['gzip', 'br', 'zstd']) {
      const got = await sample.ask('/bread', { headers: { 'accept-encoding': coding } })
      assert.equal(got.headers['content-encoding'], coding)
      assert.equal(got.headers.etag, TAG)
      assert.equal(Number(got.headers['content-length']), got.body.length)
      const decoded = decodeBody(got.body, coding, LIMITS)
      assert.ok(decoded.kind === 'ok')
      assert.deepEqual(Buffer.from(decoded.body), PAGE)
    }
  })

  test(`${name}: HEAD says what GET says`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    await sample.ask('/bread')
    sample.now += 5_000
    const [get, head] = [await sample.ask('/bread'), await sample.ask('/bread', { method: 'HEAD' })]
    assert.equal(head.status, 200)
    assert.equal(head.body.length, 0)
    for (const field of [
      'etag',
      'last-modified',
      'content-length',
      'content-type',
      'repr-digest',
      'vary',
      'cache-control',
    ])
      assert.equal(head.headers[field], get.headers[field], field)
    assert.equal((await sample.ask('/bread', { method: 'HEAD', headers: { 'if-none-match': TAG } })).status, 304)
  })

  const html: [string, string] = ['Content-Type', 'text/html']
  const privately: [string, readonly (readonly [string, string])[], Record<string, string>, string | Buffer][] = [
    ['sets a cookie', [html, ['Set-Cookie', 'a=b'], ['Set-Cookie', 'c=d']], {}, PAGE],
    ['is private', [html, ['Cache-Control', 'private, max-age=0']], {}, PAGE],
    ['is noindex by its head', [html, ['X-Robots-Tag', 'noindex']], {}, PAGE],
    ['is noindex by its text', [html], {}, `<meta name="robots" content="noindex">${PAGE.toString()}`],
    ['was asked for with a cookie', [html], { cookie: 'session=1' }, PAGE],
    ['was asked for with a password', [html], { authorization: 'Basic eA==' }, PAGE],
  ]
  for (const [what, headers, asked, body] of privately) {
    test(`${name}: a page that ${what} passes untouched and is not recorded`, async () => {
      await using sample = await running()
      sample.app.put('/mine', body, headers)
      const got = await sample.ask('/mine', { headers: { ...asked, 'accept-encoding': 'gzip, br' } })
      assert.equal(got.status, 200)
      assert.deepEqual(got.body, Buffer.from(body))
      assert.notEqual(got.headers.etag, etagOf(digestOf(Buffer.from(body))))
      assert.equal(got.headers['content-encoding'], undefined)
      assert.equal(got.headers['repr-digest'], undefined)
      assert.deepEqual(got.headers['set-cookie'], what === 'sets a cookie' ? ['a=b', 'c=d'] : undefined)
      assert.equal(sample.journal.pageCount, 0)
    })
  }

  test(`${name}: a page that becomes private, or goes, is withdrawn`, async () => {
    await using sample = await running()
    for (const path of ['/a', '/b']) {
      sample.app.put(path, PAGE)
      await sample.ask(path)
    }
    assert.equal(sample.journal.pageCount, 2)
    sample.app.pages.delete('/a')
    sample.app.put('/b', PAGE, [html, ['Cache-Control', 'no-store']])
    assert.equal((await sample.ask('/a')).status, 404)
    assert.equal((await sample.ask('/b')).status, 200)
    assert.equal(sample.journal.pageCount, 0)
  })

  const alongs: [name: string, value: string][] = [
    ...STEERING_FIELDS.map((field): [string, string] => [field, '/x']),
    ...HOST_FIELDS.map((field): [string, string] => [field, 'b.example']),
  ]
  test(`${name}: whatever one visitor sends along, others are told of no page that came of it`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    for (const [field, value] of alongs) {
      assert.equal((await sample.ask('/bread', { headers: { [field]: value } })).status, 200)
      assert.equal(sample.journal.page('/bread'), undefined, field)
    }
    // Programs that take parameters from either place answer a body with another page.
    await sample.ask('/bread', { headers: { 'content-length': '7' }, body: 'q=false' })
    assert.equal(sample.journal.page('/bread'), undefined, 'a body')
    await sample.ask('/bread', { headers: { 'transfer-encoding': 'chunked' }, body: 'q=false' })
    assert.equal(sample.journal.page('/bread'), undefined, 'a body in chunks')
    sample.app.others = { body: PAGE, headers: [['Content-Type', 'text/html']] }
    await sample.ask('http://b.example/bread')
    assert.equal(sample.journal.page('/bread'), undefined, 'a host in the target')
    await sample.ask('/bread')
    assert.equal(sample.journal.page('/bread')?.digest, digestOf(PAGE))
  })

  test(`${name}: nobody steers what is learnt by a made-up host or another method`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    await sample.ask('/bread', { headers: { host: 'evil.example' } })
    await sample.ask('/bread', { headers: { 'x-forwarded-host': 'evil.example' } })
    await sample.ask('/bread', { headers: { 'x-original-url': '/other' } })
    assert.equal(sample.journal.pageCount, 0)
    await sample.ask('/bread', { headers: { 'x-forwarded-host': HOST } })
    assert.equal(sample.journal.pageCount, 1)
    sample.app.pages.delete('/bread')
    await sample.ask('/bread', { headers: { host: 'evil.example' } })
    assert.equal(sample.journal.pageCount, 1)
  })

  test(`${name}: a long answer, a picture and a stream pass as they are`, async () => {
    await using sample = await running({ maxPageBytes: 5_000 })
    const long = Buffer.from(sampleHtml('Long').repeat(3))
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, ...Array.from({ length: 2_000 }, (_, i) => i % 251)])
    sample.app.put('/long', long)
    sample.app.put('/long-stream', async function* () {
      for (let at = 0; at < long.length; at += 1_000) yield long.subarray(at, at + 1_000)
    })
    sample.app.put('/picture', picture, [['Content-Type', 'image/png']])
    for (const [path, body] of [
      ['/long', long],
      ['/long-stream', long],
      ['/picture', picture],
    ] as const) {
      const got = await sample.ask(path, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(got.status, 200)
      assert.deepEqual(got.body, body, path)
      assert.equal(got.headers['repr-digest'], undefined)
    }
    assert.equal(sample.journal.pageCount, 0)
  })

  test(`${name}: an answer that takes its time is let go as it comes`, async () => {
    await using sample = await running({ patienceMs: 0 })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    sample.app.put('/slow', async function* () {
      yield Buffer.from('<p>at once')
      await released
      yield Buffer.from('<p>later')
    })
    // Its second part is made when the first has come: whoever waits for the end waits for ever.
    const got = await sample.ask('/slow', { onChunk: release })
    assert.equal(got.body.toString(), '<p>at once<p>later')
    assert.equal(sample.journal.pageCount, 0)
  })

  test(`${name}: what differs in every answer is masked, and the tag is weak then`, async () => {
    await using sample = await running()
    let token = 0
    const tokened = (): string => `${PAGE.toString()}<input type="hidden" name="csrf_token" value="${token++}">`
    sample.app.put('/form', tokened())
    const first = await sample.ask('/form')
    assert.match(first.headers.etag ?? '', /^W\//)
    assert.equal(first.headers['repr-digest'], undefined)
    assert.equal(first.headers['use-as-dictionary'], undefined)
    sample.app.put('/form', tokened())
    const second = await sample.ask('/form', { headers: { 'if-none-match': first.headers.etag! } })
    assert.equal(second.status, 304)
    const third = await sample.ask('/form', { headers: { 'accept-encoding': 'br' } })
    const decoded = decodeBody(third.body, 'br', LIMITS)
    assert.ok(decoded.kind === 'ok' && Buffer.from(decoded.body).includes('value="1"'), 'everybody gets their own')
    assert.equal(sample.journal.last, 1)
  })

  test(`${name}: the site's own documents are answered: lists, and batches by QUERY and POST`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    await sample.ask('/bread')
    const robots = await sample.ask('/robots.txt')
    assert.match(robots.body.toString(), /^Sitemap: http:\/\/a\.example\/sitemap\.xml$/m)
    assert.match((await sample.ask('/sitemap.xml')).body.toString(), /<loc>http:\/\/a\.example\//)
    for (const method of ['QUERY', 'POST']) {
      const body = writeBatch([{ url: `http://${HOST}/bread` }])
      const got = await sample.ask(BATCH_PATH, { method, headers: { 'content-type': BATCH_TYPE }, body })
      assert.equal(got.status, 200, `${method}: ${got.body.toString()}`)
      const { pages, closing } = readBatchAnswer(got.body)
      assert.ok(closing !== undefined)
      assert.deepEqual(
        pages.map((page) => Buffer.from(page.body)),
        [PAGE],
      )
    }
    const [, ...links] = [0, ...[(await sample.ask('/bread')).headers.link].flat()]
    assert.match(links.join(', '), /rel="resourcesync"/)
  })

  test(`${name}: changes are told as they happen, and somebody may subscribe`, async () => {
    const subscribers = new MemorySubscribers()
    await using sample = await running({
      push: { subscribers, post: async () => await Promise.reject(new Error('off')) },
    })
    sample.app.put('/bread', PAGE)
    const [started, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const chunks = [started, told]
    const stream = sample.ask('/push/events', { onChunk: () => chunks.shift()?.resolve() })
    await started.promise
    await sample.ask('/bread')
    sample.front.site.wake()
    await told.promise
    sample.front.site[Symbol.dispose]()
    const { headers, body } = await stream
    assert.equal(headers['content-type'], 'text/event-stream')
    assert.match(body.toString(), /event: start[^]*event: change\ndata: \{"url":"http:\/\/a\.example\/bread"/)
    const form = {
      'hub.mode': 'subscribe',
      'hub.callback': 'https://c.example/',
      'hub.topic': `http://${HOST}/push/pages`,
    }
    const asked = await sample.ask('/push/hub', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    assert.equal(asked.status, 202)
  })

  test(`${name}: pages that resemble each other share a dictionary, also for a page never seen before`, async () => {
    await using sample = await running()
    for (let i = 0; i < 12; i++) {
      sample.app.put(`/p${i}`, sampleHtml(`Page ${i}`))
      await sample.ask(`/p${i}`)
    }
    sample.now += 120_000
    const page = Buffer.from(sampleHtml('One more'))
    sample.app.put('/new', page)
    const plain = await sample.ask('/new', { headers: { 'accept-encoding': 'br' } })
    assert.match(
      [plain.headers.link].flat().join(', '),
      /<\/\.well-known\/comity\/dictionary>; rel="compression-dictionary"/,
    )
    const { headers, body: dictionary } = await sample.ask(DICTIONARY_PATH)
    assert.match(headers['use-as-dictionary'] as string, /^match="\/\*"/)
    const again = await sample.ask(DICTIONARY_PATH, { headers: { 'if-none-match': headers.etag! } })
    assert.equal(again.status, 304)
    const offer = { ...Object.fromEntries(offerDictionary(dictionary, '')), 'accept-encoding': 'br, dcb' }
    const packed = await sample.ask('/new', { headers: offer })
    assert.equal(packed.headers['content-encoding'], 'dcb')
    assert.deepEqual(undone('dcb', packed, dictionary), page)
    assert.ok(packed.body.length < plain.body.length * 0.7, `${packed.body.length} against ${plain.body.length}`)
  })

  test(`${name}: a site that sets a cookie on every answer is told so, once`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE, [html, ['Set-Cookie', 'session=1']])
    for (let i = 0; i < 25; i++) await sample.ask('/bread')
    assert.equal(sample.told.length, 1)
    assert.match(sample.told[0]!, /set a cookie.*saveUninitialized/)
  })

  test(`${name}: other methods and errors are the site's own business`, async () => {
    await using sample = await running()
    sample.app.put('/bread', PAGE)
    await sample.ask('/bread')
    const posted = await sample.ask('/bread', { method: 'POST', body: 'x' })
    assert.equal(posted.headers['repr-digest'], undefined)
    sample.app.pages.set('/bread', { status: 500, headers: [html], body: 'broken' })
    const broken = await sample.ask('/bread')
    assert.equal(broken.status, 500)
    assert.equal(broken.body.toString(), 'broken')
    assert.equal(sample.journal.pageCount, 1, 'a fault says nothing of the page')
  })

  test(
    `${name}: no page is learnt by a spelling that nobody uses, and no private one by any`,
    { timeout: 60_000 },
    async () => {
      const rules = { reject: ['/drafts/*', '/account/*'] }
      await using sample = await running({ rules, robots: 'User-agent: *\nDisallow: /secret/\n' })
      // A server that takes every spelling for the page it means, as most do.
      sample.app.others = { headers: [html], body: PAGE }
      const [open, kept] = [
        ['/docs/a.html', '/b c/ü'],
        ['/drafts/a', '/account/', '/secret/x', '/docs/.git/x'],
      ]
      const spellings = fc.constantFrom(...open, ...kept).chain((path) => spellingsOf(path, 'structure'))
      const asked = fc.asyncProperty(spellings, async (spelling) => void (await sample.ask(spelling)))
      await fc.assert(asked, { numRuns: 100 })
      for (const path of open) await sample.ask(encodeURI(path))
      const learnt = [...sample.journal.pages()].map(({ path }) => decodeURIComponent(path))
      assert.deepEqual([...new Set(learnt)].toSorted(), open.toSorted())
    },
  )
}

function undone(coding: 'dcz' | 'dcb', { body }: Got, dictionary: Uint8Array): Buffer {
  const decoded = decodeWithDictionary(coding, body, dictionary, LIMITS)
  assert.ok(decoded.kind === 'ok', decoded.kind)
  return Buffer.from(decoded.body)
}
