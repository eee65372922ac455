import assert from 'node:assert/strict'
import test from 'node:test'
import { readShipment } from '@comity/index'
import { readGatewayBatch } from '@comity/protocol'
import type { GatewayBatch } from '@comity/protocol'
import { GatewayNode } from './gateway-node.ts'
import type { GatewayNodeOptions } from './gateway-node.ts'
import { PageTable } from './shipped-page-table.ts'
import type { PrivacyGateOptions } from '../privacy/privacy-gate.ts'
import type { PrivacyReason } from '../privacy/privacy-reasons.ts'
import type { Judgement } from './gateway-program.ts'
import { sampleExchange } from '../testing/observed-exchange-sample.ts'
import type { ExchangeChange } from '../testing/observed-exchange-sample.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000
const PAGE = 'http://www.site.example/page'
const NOINDEX = { 'X-Robots-Tag': 'noindex' }
const OVER = 'unavailable_after: Sun, 01 Mar 2026 12:30:00 GMT'
const meta = (content: string, name = 'robots'): string => `<meta name="${name}" content="${content}"><p>other`
const PASSWORD = '<form><input type=password name=p></form>'

interface Bench {
  readonly node: GatewayNode
  readonly see: (...changes: ExchangeChange[]) => void
  readonly cut: () => GatewayBatch | undefined
}

function bench(options: Partial<GatewayNodeOptions> = {}): Bench {
  const batches: GatewayBatch[] = []
  let number = 0
  const state = {
    table: new PageTable(1_000),
    run: '0'.repeat(32),
    get number() {
      return number
    },
    commit: (n: number) => void (number = n),
  }
  const node = new GatewayNode({
    salt: Uint8Array.of(1),
    state,
    now: () => START + 1_000 * HOUR,
    ...options,
    gate: { hosts: ['www.site.example'], ...options.gate },
    onBatch: ({ bytes }) => {
      const read = readGatewayBatch(bytes)
      if (read.kind === 'batch') batches.push(read.batch)
    },
  })
  return {
    node,
    see: (...changes) => changes.forEach((one) => node.observed(sampleExchange({ url: PAGE, at: START, ...one }))),
    cut: () => (node.cut(), batches.pop()),
  }
}

const reader = (n: number): ExchangeChange => ({ client: `198.51.100.${n}` })

const anHourLater = (change: ExchangeChange): ExchangeChange => ({ at: START + HOUR, ...change })

// oxfmt-ignore
const cases: [answer: string, goes: boolean, ...later: ExchangeChange[]][] = [
  ['200 with noindex',                                true,  { answer: NOINDEX }],
  ['200 with none',                                   true,  { answer: { 'X-Robots-Tag': 'none' } }],
  ['200 with noindex for us by name',                 true,  { answer: { 'X-Robots-Tag': 'Comity: noindex' } }],
  ['200 with noindex for another bot',                false, { answer: { 'X-Robots-Tag': 'otherbot: noindex' } }],
  ['200 whose time is over',                          true,  { answer: { 'X-Robots-Tag': OVER } }],
  ['200 whose time is to come',                       false, { answer: { 'X-Robots-Tag': 'unavailable_after: 2030-01-01' } }],
  ['200 with noindex in the page',                    true,  { body: meta('noindex') }],
  ['200 with noindex in the page for us by name',     true,  { body: meta('noindex', 'Comity') }],
  ['200 whose time is over by the page',              true,  { body: meta(OVER) }],
  ['304 with noindex',                                true,  { status: 304, answer: NOINDEX }],
  ['304 with none for us by name',                    true,  { status: 304, answer: { 'X-Robots-Tag': 'comity: none' } }],
  ['304 whose time is over',                          true,  { status: 304, answer: { 'X-Robots-Tag': OVER } }],
  ['304 with noindex for another bot',                false, { status: 304, answer: { 'X-Robots-Tag': 'otherbot: noindex' } }],
  ['304 with noindex to a reader with a cookie',      true,  { status: 304, answer: NOINDEX, ask: { Cookie: 'a=1' } }],
  ['HEAD with noindex',                               true,  { method: 'HEAD', answer: NOINDEX }],
  ['304 to HEAD with noindex',                        true,  { method: 'HEAD', status: 304, answer: NOINDEX }],
  ['206 with noindex',                                true,  { status: 206, answer: NOINDEX }],
  ['a redirect with noindex',                         true,  { status: 302, answer: NOINDEX, verdict: 'not-wanted' }],
  ['noindex with a cookie',                           true,  { answer: { ...NOINDEX, 'Set-Cookie': 'a=1' } }],
  ['noindex that is private',                         true,  { answer: { ...NOINDEX, 'Cache-Control': 'private' } }],
  ['noindex that nobody may keep',                    true,  { answer: { ...NOINDEX, 'Cache-Control': 'no-store' } }],
  ['noindex that varies by cookie',                   true,  { answer: { ...NOINDEX, Vary: 'Cookie' } }],
  ['noindex to a reader with a cookie',               true,  { answer: NOINDEX, ask: { Cookie: 'a=1' } }],
  ['noindex to a reader who wants nothing kept',      true,  { answer: NOINDEX, ask: { 'Cache-Control': 'no-store' } }],
  ['noindex of another type',                         true,  { answer: { ...NOINDEX, 'Content-Type': 'image/png' }, verdict: 'not-wanted' }],
  ['noindex in a coding that cannot be undone',       true,  { answer: { ...NOINDEX, 'Content-Encoding': 'gzip' } }],
  ['noindex in the page, with a cookie set',          true,  { body: meta('noindex'), answer: { 'Set-Cookie': 'a=1' } }],
  ['noindex in the page, private for a cookie',       true,  { body: meta('none'), answer: { 'Cache-Control': 'private', 'Set-Cookie': 'a=1' } }],
  ['noindex in the page of a reader with a cookie',   true,  { body: meta('noindex'), ask: { Cookie: 'a=1' } }],
  ['noindex on a connection met in the middle',       true,  { answer: NOINDEX, authentication: 'unseen' }],
  ['noindex with a hole in the body',                 true,  { answer: NOINDEX, verdict: 'hole' }],
  ['noindex whose reader went before the end',        true,  { answer: NOINDEX, verdict: 'cut-short' }],
  ['noindex on what is too large',                    true,  { answer: NOINDEX, verdict: 'too-large' }],
  ['noindex that could be read in two ways',          false, { answer: NOINDEX, verdict: 'doubtful' }],
  ['noindex to whoever has a key',                    false, { answer: NOINDEX, ask: { Authorization: 'Basic YTpi' } }],
  ['noindex on 304 to whoever has a key',             false, { status: 304, answer: NOINDEX, ask: { 'X-Api-Key': '1' } }],
  ['noindex on a connection that was signed in',      false, { answer: NOINDEX, authentication: 'known' }],
  ['noindex for another address',                     false, { answer: NOINDEX, ask: { 'X-Original-URL': '/admin' } }],
  ['noindex on HEAD for another address',             false, { method: 'HEAD', answer: NOINDEX, ask: { 'X-Original-URL': '/admin' } }],
  ['noindex at the address with a session',           false, { answer: NOINDEX, url: `${PAGE};jsessionid=12` }],
  ['noindex at the address with a campaign',          false, { answer: NOINDEX, url: `${PAGE}?utm_source=mail` }],
  ['noindex on an answer to POST',                    false, { method: 'POST', answer: NOINDEX }],
  ['noindex of somebody else’s server',               false, { answer: NOINDEX, url: 'http://elsewhere.example/page' }],
  ['noindex on 503',                                  false, { status: 503, answer: NOINDEX }],
  ['noindex on 429',                                  false, { status: 429, answer: NOINDEX }],
  ['404',                                             true,  { status: 404 }],
  ['410 that sets a cookie',                          true,  { status: 410, answer: { 'Set-Cookie': 'a=1' } }],
  ['451',                                             true,  { status: 451 }],
  ['404 to HEAD, which servers need not know',        false, { method: 'HEAD', status: 404 }],
  ['404 to HEAD with noindex',                        true,  { method: 'HEAD', status: 404, answer: NOINDEX }],
  ['500',                                             false, { status: 500 }],
  ['301',                                             false, { status: 301 }],
  ['401 to whoever came',                             true,  { status: 401, answer: { 'WWW-Authenticate': 'Basic realm="a"' } }],
  ['401 to HEAD',                                     true,  { method: 'HEAD', status: 401, answer: { 'WWW-Authenticate': 'Basic realm="a"' } }],
  ['401 to a wrong password',                         false, { status: 401, ask: { Authorization: 'Basic YTpi' } }],
  ['401 to an old cookie',                            false, { status: 401, ask: { Cookie: 'a=1' } }],
  ['401 on a connection met in the middle',           false, { status: 401, authentication: 'unseen' }],
  ['403 to one reader, however often',                false, { status: 403 }, { status: 403 }, { status: 403 }, { status: 403 }],
  ['403 to three readers',                            true,  { status: 403, ...reader(1) }, { status: 403, ...reader(2) }, { status: 403, ...reader(3) }],
  ['403 to three readers of one network',             false, { status: 403, client: '2001:db8::1' }, { status: 403, client: '2001:db8::2' }, { status: 403, client: '2001:db8::3' }],
  ['403 to three cookies',                            false, ...[1, 2, 3].map((n) => ({ status: 403, client: `198.51.100.${n}`, ask: { Cookie: `a=${n}` } }))],
  ['200 that is private by now',                      true,  { answer: { 'Cache-Control': 'private' } }],
  ['304 that is private by now',                      true,  { status: 304, answer: { 'Cache-Control': 'private' } }],
  ['HEAD that nobody may keep',                       true,  { method: 'HEAD', answer: { 'Cache-Control': 'no-store' } }],
  ['200 that nobody may keep',                        true,  { answer: { 'Cache-Control': 'max-age=0, no-store' } }],
  ['private for the cookie that it sets',             false, { answer: { 'Cache-Control': 'private', 'Set-Cookie': 'a=1' } }],
  ['private for a reader with a cookie',              false, { answer: { 'Cache-Control': 'private' }, ask: { Cookie: 'a=1' } }],
  ['private on a connection met in the middle',       false, { answer: { 'Cache-Control': 'private' }, authentication: 'unseen' }],
  ['what a reader wants nobody to keep',              false, { ask: { 'Cache-Control': 'no-store' } }],
  ['a cookie that is set',                            false, { answer: { 'Set-Cookie': 'session=1' } }],
  ['what varies by cookie',                           false, { answer: { Vary: 'Cookie' } }],
  ['a form for a password',                           true,  { body: PASSWORD }],
  ['the same with a cookie set',                      true,  { body: PASSWORD, answer: { 'Set-Cookie': 'a=1' } }],
  ['the same for a reader whose session ended',       false, { body: PASSWORD, ask: { Cookie: 'a=1' } }],
  ['another type',                                    false, { answer: { 'Content-Type': 'image/png' }, verdict: 'not-wanted' }],
  ['the page as it was',                              false, {}],
  ['the page changed',                                false, { body: '<p>changed' }],
]

for (const [answer, goes, ...later] of cases) {
  test(`of a page that is known, after ${answer}, it ${goes ? 'goes' : 'stays'}`, () => {
    const { node, see, cut } = bench()
    see({})
    assert.equal(readShipment(cut()!.postings).kind, 'shipment')
    see(...later.map(anHourLater))
    assert.equal(node.figures.gone, goes ? 1 : 0)
    assert.deepEqual(
      (cut()?.gone ?? []).map(({ url }) => url),
      goes ? [PAGE] : [],
    )
  })
  test(`of a page that waits to be sent, after ${answer}, its words ${goes ? 'go' : 'stay'}`, () => {
    const { see, cut } = bench({ withPages: ['www.site.example'] })
    see({}, ...later.map(anHourLater))
    const batch = cut()!
    assert.equal(readShipment(batch.postings).kind === 'shipment', !goes)
    assert.equal(batch.pages.length === 0, goes)
  })
}

test('a page that says when its time is over goes when it passes after that, as it was', () => {
  const { node, see } = bench()
  const body = meta(OVER)
  see({ body }, { body, at: START + 60_000 })
  assert.deepEqual([node.figures.gone, node.figures.verdicts.same], [0, 1])
  see({ body, at: START + HOUR })
  assert.equal(node.figures.gone, 1)
})

interface Tightened {
  /** How the page was let in, and what has it judged otherwise by now, though it passes as it was. */
  readonly before?: Partial<PrivacyGateOptions>
  readonly by: Partial<PrivacyGateOptions>
  readonly page?: ExchangeChange
  readonly reason: PrivacyReason
  readonly goes: boolean
}

const QUERY = `${PAGE}?id=1`
const pdf = { read: () => Promise.resolve({ kind: 'ok' as const, title: '', text: 'words', pages: 1, isCut: false }) }
const text = { answer: { 'Content-Type': 'text/plain' }, body: 'words' }
// oxfmt-ignore
/** Of each option of the gate: the compiler asks for one. */
const tightened: Readonly<Record<keyof PrivacyGateOptions, Tightened>> = {
  privatePaths:     { by: { privatePaths: ['/page'] }, reason: 'private-path', goes: true },
  queries:          { before: { queries: new Map([['www.site.example', ['id']]]) }, by: {}, page: { url: QUERY }, reason: 'query', goes: true },
  productToken:     { by: { productToken: 'otherbot' }, page: { body: meta('noindex', 'otherbot') }, reason: 'noindex', goes: true },
  hosts:            { by: { hosts: ['elsewhere.example'] }, reason: 'foreign-server', goes: false },
  servers:          { by: { servers: ['192.0.2.99'] }, reason: 'foreign-server', goes: false },
  readers:          { by: { readers: 'inside' }, reason: 'other-readers', goes: false },
  inside:           { before: { readers: 'outside' }, by: { readers: 'outside', inside: ['198.51.100.0/24'] }, reason: 'other-readers', goes: false },
  publicHosts:      { before: { publicHosts: ['www.site.example'] }, by: {}, page: { ask: { Cookie: 'a=1' } }, reason: 'cookie', goes: false },
  credentialFields: { by: { credentialFields: ['x-department'] }, page: { ask: { 'X-Department': '1' } }, reason: 'authorization', goes: false },
  midstream:        { before: { midstream: true }, by: {}, page: { authentication: 'unseen' }, reason: 'unseen', goes: false },
  plainText:        { before: { plainText: true }, by: {}, page: text, reason: 'media-type', goes: false },
  pdf:              { before: { pdf: true }, by: {}, page: { answer: { 'Content-Type': 'application/pdf' } }, reason: 'media-type', goes: false },
  maxPageBytes:     { by: { maxPageBytes: 10 }, reason: 'coding', goes: false },
}

for (const [option, { before, by, page = {}, reason, goes }] of Object.entries(tightened)) {
  test(`a page that passes as it was is judged anew by another ${option}, and ${goes ? 'goes' : 'stays'}`, async () => {
    const table = new PageTable(1_000)
    const state = { table, run: '0'.repeat(32), number: 0, commit: () => undefined }
    const gate = { hosts: ['www.site.example'] }
    const first = bench({ state, pdf, gate: { ...gate, ...before } })
    first.see(page)
    await first.node.settle()
    assert.equal(table.has(page.url ?? PAGE), true, 'it was let in')
    const { node, see } = bench({ state, gate: { ...gate, ...by } })
    see(anHourLater(page))
    assert.equal(node.figures.skipped[reason], 1)
    assert.deepEqual([node.figures.verdicts.same, node.figures.gone], [0, goes ? 1 : 0])
  })
}

// oxfmt-ignore
const ofItsAddress: [passes: string, change: ExchangeChange][] = [
  ['with other bytes',                    { body: '<p>other' }],
  ['as 304',                              { status: 304 }],
  ['with a hole',                         { verdict: 'hole' }],
  ['to somebody who is known',            { ask: { Authorization: 'Basic YTpi' } }],
]
for (const [passes, change] of ofItsAddress) {
  for (const option of ['privatePaths', 'queries'] as const) {
    test(`what ${option} keep by now goes when it passes ${passes}`, () => {
      const { before, by, page, reason } = tightened[option]
      const state = { table: new PageTable(1_000), run: '0'.repeat(32), number: 0, commit: () => undefined }
      const gate = { hosts: ['www.site.example'] }
      bench({ state, gate: { ...gate, ...before } }).see({ ...page })
      const { node, see } = bench({ state, gate: { ...gate, ...by } })
      see(anHourLater({ ...page, ...change }))
      assert.deepEqual([node.figures.gone, node.figures.skipped[reason]], [1, 1])
    })
  }
}

test('a page that a gateway let in before it wrote down by which rules is judged once more, and then known again', () => {
  const table = new PageTable(1_000)
  const state = { table, run: '0'.repeat(32), number: 0, commit: () => undefined }
  bench({ state }).see({})
  const before = table.get(PAGE)!
  table.set(PAGE, { ...before, coded: 'ab'.repeat(8) })
  const { node, see } = bench({ state })
  see(anHourLater({}), anHourLater({}))
  assert.deepEqual([node.figures.verdicts.same, node.figures.gone], [2, 0])
  assert.equal(table.get(PAGE)!.coded, before.coded)
})

test('what is forbidden while a program looks at it is not shipped, and what passes afterwards is', async () => {
  const judgements: PromiseWithResolvers<Judgement>[] = []
  const judge = (): Promise<Judgement> => {
    const judgement = Promise.withResolvers<Judgement>()
    judgements.push(judgement)
    return judgement.promise
  }
  const { node, see, cut } = bench({ program: { judge, takeFaults: () => ({}) } })
  see({}, { status: 304, answer: NOINDEX })
  see({ body: '<p>allowed again', at: START + HOUR })
  for (const { resolve } of judgements) resolve({ kind: 'index' })
  await node.settle()
  const read = readShipment(cut()!.postings)
  assert.deepEqual(read.kind === 'shipment' ? read.documents.map(({ at }) => at) : [], [START + HOUR])
  assert.equal(node.figures.skipped['noindex'], 2)
})

test('what was gone in a batch that had to go is told in the next', () => {
  const dropped: Uint8Array[] = []
  const spool = {
    add: (_run: string, _number: number, bytes: Uint8Array) => {
      const before = dropped.splice(0)
      dropped.push(bytes)
      return before
    },
  }
  const { see, cut } = bench({ spool: spool as unknown as NonNullable<GatewayNodeOptions['spool']> })
  see({})
  cut()
  see({ status: 410, at: START + HOUR })
  cut()
  see({ url: 'http://www.site.example/other', at: START + 2 * HOUR })
  assert.deepEqual(cut()?.gone, [])
  const carried = cut()
  assert.deepEqual(carried?.gone, [{ url: PAGE, status: 410, at: START + HOUR }])
})
