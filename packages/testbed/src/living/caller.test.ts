import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readBatchAnswer, readChangeNotification, writeSubscribeForm } from '@comity/protocol'
import { LIE } from './caller.ts'
import { LivingJournal } from './journal.ts'
import { createLivingWeb } from './web.ts'
import type { LivingWeb } from './web.ts'
import type { SiteSpec } from './site.ts'

const calling = { validators: 'none', gzip: false, latencyMs: 0, odd: false, stillShare: 0, changeOctaves: 1 } as const

async function webOf(t: TestContext, spec: Partial<SiteSpec>): Promise<LivingWeb> {
  const web = await createLivingWeb({ seed: 3, sites: [{ ...calling, pages: 8, changeEveryMs: 400, ...spec }] })
  t.after(() => web[Symbol.asyncDispose]())
  return web
}

/** Subscribes, and gives the first that is sent. */
async function firstSent(t: TestContext, web: LivingWeb, topic: string): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://here.example').searchParams.get('hub.challenge')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(request.method === 'GET' ? 200 : 202).end(challenge)
      if (request.method === 'POST') resolve(Buffer.concat(chunks))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const form = { mode: 'subscribe', callback, topic: new URL(topic, web.home).href, leaseSeconds: 600 } as const
  const asked = await fetch(new URL('/push/hub', web.home), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: writeSubscribeForm(form),
  })
  assert.equal(asked.status, 202, await asked.text())
  return await promise
}

test('a site that pushes sends its pages a moment after they changed, as it serves them', async (t) => {
  const web = await webOf(t, { calls: ['pages'] })
  const { pages, closing } = readBatchAnswer(await firstSent(t, web, '/push/pages'))
  assert.ok(pages.length > 0 && closing !== undefined)
  for (const { url, body } of pages) {
    assert.ok(web.version(url, Date.now())! > 0, url)
    assert.match(Buffer.from(body).toString(), /revision [1-9]/)
    assert.ok(!Buffer.from(body).includes(LIE))
  }
  const name = web.sites[0]!.spec.name
  assert.deepEqual(
    web.callsOf(name).map(({ scheme, by }) => [scheme, by]),
    [['pages', 'websub']],
  )
  assert.deepEqual(web.callsOf('nobody'), [])
})

test('one that sends notices says which pages and when, and sends nothing else', async (t) => {
  const web = await webOf(t, { calls: ['changes'] })
  const read = readChangeNotification(await firstSent(t, web, '/metadata/changelist.xml'), web.home)
  assert.ok('changes' in read && read.changes.length > 0)
})

test('one that lies sends what it does not serve, also after somebody has looked', async (t) => {
  const web = await webOf(t, { calls: ['pages'], lies: true, validators: 'both' })
  const served = await (await fetch(web.home)).text()
  assert.ok(!served.includes(LIE))
  const { pages } = readBatchAnswer(await firstSent(t, web, '/push/pages'))
  assert.ok(pages.length > 0)
  for (const { body } of pages) assert.ok(Buffer.from(body).includes(LIE))
})

test('a journal knows when something changes next, and tells nothing before', async () => {
  const epoch = Date.UTC(2026, 0, 1)
  await using web = await createLivingWeb({
    seed: 5,
    sites: [{ ...calling, pages: 6, changeEveryMs: 10_000 }],
    clock: () => epoch,
    epoch,
  })
  const living = new LivingJournal(web.sites[0]!)
  await living.upTo(epoch)
  const { last } = living.journal
  const next = living.nextAt(epoch)
  assert.ok(next > epoch && next <= epoch + 20_000)
  await living.upTo(next - 1)
  assert.equal(living.journal.last, last)
  await living.upTo(next)
  assert.ok(living.journal.last > last)
})
