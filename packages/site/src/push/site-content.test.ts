import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { PushedSample } from '../testing/delivery-worker-fixture.ts'
import type { PushedSampleOptions } from '../testing/delivery-worker-fixture.ts'
import { unpackedDump } from '../testing/unpacked-dump-fixture.ts'
import { UploadReceiver } from '../testing/upload-receiver-fixture.ts'

const HOUR = 3_600_000
const page = (name: string): string => `<p>${name}</p>${'<p>words of a site</p>'.repeat(30)}`

async function uploading(t: TestContext, more: PushedSampleOptions = {}): Promise<[PushedSample, UploadReceiver]> {
  const receiver = await UploadReceiver.listen()
  t.after(() => receiver[Symbol.asyncDispose]())
  const limits = { siteBytes: 3_000, partBytes: 200 }
  const pushed = await PushedSample.make(t, { subscriber: { scheme: 'site', address: receiver.url }, limits, ...more })
  return [pushed, receiver]
}

/** Pages of all dumps that came, by path. */
async function dumped({ taken }: UploadReceiver): Promise<Record<string, string | undefined>> {
  const held: Record<string, string | undefined> = {}
  for (const bytes of taken) {
    const { files, manifest } = await unpackedDump(bytes)
    assert.equal(manifest.summary.capability, 'resourcedump-manifest')
    for (const entry of manifest.entries)
      held[new URL(entry.url).pathname] = files.get(((entry as { path?: string }).path ?? '').slice(1))
  }
  return held
}

test('the entire site is sent once, in parts, and again when it is asked for', async (t) => {
  const [pushed, receiver] = await uploading(t)
  await pushed.put(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`/${i}`, page(String(i))])))
  await pushed.put({ '/3': null })
  await pushed.drainAll()
  assert.ok(receiver.taken.length > 2, `${receiver.taken.length} dumps`)
  assert.deepEqual(await dumped(receiver), pushed.texts())
  const before = receiver.requests.length
  await pushed.put({ '/0': page('other') })
  await pushed.drainAll()
  assert.equal(receiver.requests.length, before)
  receiver.taken.length = 0
  await pushed.deliveryWorker.again('crawler')
  await pushed.drainAll()
  assert.deepEqual(await dumped(receiver), pushed.texts())
})

/** What does not get much smaller when it is packed. */
const noise = (seed: number): string =>
  Array.from({ length: 2_000 }, (_, i) => ((i * seed * 7_919) % 97).toString(36)).join('')

test('a site that is cut in the middle goes on after a restart, and nothing whole is sent twice', async (t) => {
  const [pushed, receiver] = await uploading(t, { limits: { siteBytes: 1 << 20, partBytes: 1 << 20 } })
  await pushed.put(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`/${i}`, noise(i + 1)])))
  receiver.behaviour.cuts = [3_000]
  await pushed.drain()
  assert.ok(pushed.memory.row('crawler')?.upload)
  pushed.restarted()
  pushed.sample.now += HOUR
  await pushed.drainAll()
  assert.deepEqual(await dumped(receiver), pushed.texts())
  assert.deepEqual(receiver.requests, ['OPTIONS /push', 'POST /push', 'HEAD /uploads/1', 'PATCH /uploads/1'])
})

test('pages that are no longer public are in no part that is made anew', async (t) => {
  let robots = ''
  const [pushed, receiver] = await uploading(t, {
    site: { robots: () => robots },
    limits: { siteBytes: 1 << 20, partBytes: 1 << 20 },
  })
  await pushed.put({ '/a': page('a'), '/secret': 'secret' })
  receiver.behaviour.cuts = [30]
  await pushed.drain()
  robots = 'User-agent: *\nDisallow: /secret\n'
  pushed.sample.now += HOUR
  await pushed.drainAll()
  assert.deepEqual(await dumped(receiver), { '/a': page('a') })
  assert.ok(receiver.requests.includes('DELETE /uploads/1'))
})
