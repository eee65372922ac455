/** Gateways and a repository: what people read is held, right, once, and found, without a request of ours. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { Collection } from '@comity/collection'
import type { Capture } from '@comity/protocol'
import { toldTruly } from '../crawl/archive-records.ts'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { gatewaysFile, GatewaySender, keyRingOf } from './gateway-sender.ts'
import type { BatchParts, Passed } from './gateway-sender.ts'
import { found, hitsOf, LISTED, NORTH, repository, UNI } from './gateway-watch.ts'
import { heldOf, page, PushWatch, until } from '../push/push-watch.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

const KILLED_RECEIVER = join(import.meta.dirname, '../../packages/receiver/src/testing/killed-receiver.ts')
const STRANGER = keyRingOf(13)
const NOON = Date.UTC(2026, 10, 15, 12)
const passed = (path: string, title: string, at = NOON): Passed => ({ url: UNI + path, html: page(title, '/next'), at })

/** A page of its own, and one more reader of the home page. */
const readings = (number: number): BatchParts => ({
  words: [passed(`/${number}`, `Page ${number}`)],
  hits: [{ url: `${UNI}/`, readers: 1, robots: 0 }],
})

describe('a repository that gateways feed', { concurrency: 2 }, () => {
  it('needs no start page: what was read once is held as its words, found, and never asked for', async () => {
    const seen: Capture[] = []
    const hooks = { onCapture: (capture: Capture) => void seen.push(capture) }
    await using repo = await repository({ crawl: { hooks } })
    const { north, into, watch } = repo
    const reply = await north.send({
      words: [passed('/a', 'Alpha badger'), passed('/b', 'Beta badger')],
      hits: [
        { url: `${UNI}/a`, readers: 2, robots: 1 },
        { url: `${UNI}/b`, readers: 400, robots: 0 },
      ],
      figures: { skipped: { cookie: 3 } },
    })
    assert.deepEqual([reply.status, reply.json], [202, { refusedRows: 0 }])
    const row = await repo.dealtWith('north', 1)
    assert.deepEqual(row.outcomes, { taken: 2 })
    assert.deepEqual([row.people, row.robots, row.skipped], [402, 1, { cookie: 3 }])
    assert.ok(row.bytes > 0 && row.avoidedRequests === 2 && row.avoidedBytes > 0)
    const held = (await heldOf(into, `${UNI}/a`))!
    assert.deepEqual(held.captures, [
      { source: 'gateway', outcome: 'ok', scheme: 'gateway', digest: held.captures[0]!.digest },
    ])
    await until('both are found, the much-read one first', async () => {
      const urls = await found(into, 'badger')
      return urls[0] === `${UNI}/b` && urls[1] === `${UNI}/a`
    })
    assert.deepEqual(await found(into, 'alpha'), [`${UNI}/a`])
    assert.deepEqual(watch.events, [])
    assert.deepEqual(await hitsOf(into, `${UNI}/a`), [2, 1])
    assert.deepEqual((await toldTruly(into, seen)).get('gateway'), new Set(['resource, extracted text']))
  })

  it('ranks by readers right after it was stopped', async () => {
    const into = newDirectory()
    {
      await using repo = await repository({ into })
      await repo.north.send({ words: [passed('/a', 'Alpha badger'), passed('/b', 'Beta badger')] })
      await until('both are found', async () => (await found(into, 'badger')).length === 2)
      for (const [number, path] of ['/a', '/b', '/b'].entries()) {
        await repo.north.send({ hits: [{ url: `${UNI}${path}`, readers: 2, robots: 5 }] })
        await repo.dealtWith('north', number + 2)
      }
    }
    for (const rank of ['hf', 'hf-idf']) {
      const { results } = lastJson(await comityHere(['search', into, 'badger', '--rank', rank, '--json']))
      const scores = (results as { url: string; score: number }[]).map(({ url, score }) => [url, score] as const)
      assert.deepEqual(
        scores.map(([url]) => url),
        [`${UNI}/b`, `${UNI}/a`],
        rank,
      )
      if (rank === 'hf')
        assert.deepEqual(
          scores.map(([, score]) => Math.round(score)),
          [4, 2],
        )
    }
  })

  it('knows the links and anchors of what it was shipped, and leaves what they lead to alone', async () => {
    await using repo = await repository()
    await repo.north.send({
      words: [{ url: `${UNI}/`, html: '<title>Home</title><a href="/far">quokka</a>', at: NOON }],
    })
    await repo.dealtWith('north', 1)
    await using collection = Collection.openReadOnly(repo.into)
    const links = [...collection.linkLists()].flatMap(([, list]) => list)
    assert.deepEqual(
      links.map(({ to, anchor }) => [collection.url(to), anchor]),
      [[`${UNI}/far`, 'quokka']],
    )
    assert.equal(collection.page(links[0]!.to), undefined)
    await repo.north.send({ words: [passed('/far', 'Far')] })
    await until('the page is found by what others call it', async () =>
      (await found(repo.into, 'quokka')).includes(`${UNI}/far`),
    )
  })

  it('takes each batch once, hits too, in whatever order and however often it comes', async () => {
    const gateways = gatewaysFile(LISTED)
    const into = newDirectory()
    const hits = [{ url: `${UNI}/a`, readers: 5, robots: 2 }]
    const first = { words: [passed('/a', 'One')], hits }
    let batches: Uint8Array[] = []
    {
      await using one = await repository({ gateways, into })
      const { north } = one
      batches = [north.make(first), north.make({ seen: [passed('/a', 'One', NOON + 9_000)], hits })]
      const replies = []
      for (const batch of [batches[1]!, batches[0]!, batches[0]!, batches[1]!]) replies.push(await north.post(batch))
      assert.deepEqual(
        replies.map(({ status, json }) => [status, json['repeated']]),
        [
          [202, undefined],
          [202, undefined],
          [200, true],
          [200, true],
        ],
      )
      await one.dealtWith('north', 2)
    }
    // A receiver that was started anew has forgotten them; the collection has not.
    await using two = await repository({ gateways, into })
    const again = new GatewaySender(two.watch.doors.url, NORTH)
    // What was signed in the second in which the one before ended may be a repetition: it is asked to come again (503).
    for (const batch of batches) await until('a batch is taken', async () => (await again.post(batch)).status === 202)
    const row = await two.dealtWith('north', 2, 2)
    assert.deepEqual([row.people, row.robots], [10, 4])
    assert.deepEqual(await hitsOf(into, `${UNI}/a`), [10, 4])
  })

  it('holds the version that passed last, from two gateways, late and early', async () => {
    await using repo = await repository()
    const { north, south, into } = repo
    await north.send({ words: [passed('/a', 'Second', NOON + 10_000)] })
    await repo.dealtWith('north', 1)
    await south.send({ words: [passed('/a', 'First', NOON)] })
    assert.deepEqual((await repo.dealtWith('south', 1)).outcomes, { late: 1 })
    await south.send({ words: [passed('/a', 'Second', NOON + 12_000)], whole: [passed('/a', 'Third', NOON + 20_000)] })
    await repo.dealtWith('south', 2)
    const held = (await heldOf(into, `${UNI}/a`))!
    assert.ok(held.text.includes('Third'), 'whole, as it was shipped whole')
    assert.equal(held.captures.length, 2)
    await north.send({ gone: [{ url: `${UNI}/a`, status: 451, at: NOON + 30_000 }] })
    assert.equal((await repo.dealtWith('north', 2)).outcomes['gone'], 1)
    await until('it is gone', async () => !(await found(into, 'third')).includes(`${UNI}/a`))
  })

  it('works beside a crawler: what is held is confirmed, what changed is taken, and nothing is asked for', async () => {
    await using site = await createCooperatingSite(
      { '/': page('Home', '/news'), '/news': page('News 1') },
      { schemes: [] },
    )
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    const { host } = new URL(site.origin)
    const gateways = gatewaysFile([{ name: 'north', rings: [NORTH], hosts: [host] }])
    await using repo = await repository({ into, gateways })
    const [home, news] = [`${site.origin}/`, `${site.origin}/news`]
    const asked = site.asked.length
    const at = Date.now() + 2_000
    await until('a later second', () => Date.now() > at)
    await repo.north.send({
      seen: [{ url: home, html: page('Home', '/news'), at }],
      words: [{ url: news, html: page('News 2'), at }],
    })
    const row = await repo.dealtWith('north', 1)
    assert.deepEqual(row.outcomes, { taken: 1, confirmed: 1 })
    assert.equal(site.asked.filter(({ path }) => path === '/news').length, 1)
    assert.deepEqual(
      site.asked.slice(asked).filter(({ path }) => path === '/' || path === '/news'),
      [],
    )
    assert.equal((await heldOf(into, news))!.captures.at(-1)?.source, 'gateway')
    assert.equal((await heldOf(into, home))!.captures.length, 1)
    await until('the new words are found', async () => (await found(into, '"News 2"')).includes(news))
  })

  it('asks for a page that was seen again and is not held, where a start page leads there', async () => {
    await using site = await createCooperatingSite(
      { '/': page('Home', '/news'), '/news': page('News 1') },
      { schemes: [] },
    )
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    const gateways = gatewaysFile([{ name: 'north', rings: [NORTH], hosts: [new URL(site.origin).host] }])
    await using repo = await repository({ into, gateways })
    await site.set('/news', page('News 2'))
    const at = Date.now()
    await until('a later second', () => Date.now() > at + 1_000)
    await repo.north.send({ seen: [{ url: `${site.origin}/news`, html: page('News 2'), at: at + 1_000 }] })
    assert.deepEqual((await repo.dealtWith('north', 1)).outcomes, { visited: 1 })
    await until('it was visited', () => repo.watch.holds(`${site.origin}/news`, 'News 2'))
  })

  it('hears nobody of hosts that are not theirs, and says so', async () => {
    await using repo = await repository()
    const other = { url: 'http://bank.example/', html: page('Bank'), at: NOON }
    const lab = { url: 'http://lab.example:8080/', html: page('Lab'), at: NOON }
    const nothing = await repo.north.send({ words: [other], hits: [{ url: other.url, readers: 9, robots: 0 }] })
    assert.deepEqual([nothing.status, nothing.kind], [403, 'host-refused'])
    const some = await repo.north.send({ words: [other, lab, passed('/a', 'Alpha')] })
    assert.deepEqual([some.status, some.json], [202, { refusedRows: 2 }])
    assert.deepEqual((await repo.dealtWith('north', 1)).outcomes, { foreign: 2, taken: 1 })
    assert.equal((await repo.south.send({ words: [lab] })).status, 202)
    assert.deepEqual((await repo.dealtWith('south', 1)).outcomes, { taken: 1 })
    assert.equal(await heldOf(repo.into, other.url), undefined)
  })

  it('hears no stranger, nothing forged, nothing torn; a second key is as good as the first', async () => {
    const next = keyRingOf(21)
    const gateways = gatewaysFile([{ name: 'north', rings: [NORTH, next], hosts: ['*.uni.example'] }])
    await using repo = await repository({ gateways })
    const { north, watch } = repo
    const batch = north.make({ words: [passed('/a', 'Alpha')] })
    const stranger = new GatewaySender(watch.doors.url, STRANGER)
    assert.deepEqual(await kindOf(stranger.post(batch)), [403, 'gateway-unknown'])
    const other = north.make({ words: [passed('/b', 'Beta')] })
    assert.deepEqual(await kindOf(north.post(batch, other)), [403, 'wrong-digest'])
    assert.deepEqual(await kindOf(north.post(batch.subarray(0, -3))), [422, 'unreadable'])
    assert.deepEqual(await kindOf(north.post(Buffer.from('no batch'))), [422, 'unreadable'])
    const unsigned = await fetch(`${watch.doors.url}/gateway`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.comity.gateway-batch' },
      body: Buffer.from(batch),
    })
    assert.equal(unsigned.status, 401)
    assert.equal((await new GatewaySender(watch.doors.url, next).post(batch)).status, 202)
    assert.equal((await north.post(batch)).status, 200, 'one gateway, whichever key')
    assert.deepEqual((await repo.dealtWith('north', 1)).outcomes, { taken: 1 })
  })

  it('loses nothing that it took, and counts nothing twice, when it is killed while batches come in', async () => {
    const [into, gateways] = [newDirectory(), gatewaysFile(LISTED)]
    await (await Collection.open(into, Date.now())).close()
    const taken = new Set<number>()
    let batches: Uint8Array[] = []
    {
      const child = spawn(process.execPath, [KILLED_RECEIVER, into, '0', gateways], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
      const sender = new GatewaySender(`http://127.0.0.1:${line.split(' ')[1]}`, NORTH)
      batches = Array.from({ length: 60 }, (_, number) => sender.make(readings(number)))
      const posting = batches.map(async (batch, number) => {
        // No answer: nobody knows whether it was taken.
        const reply = await sender.post(batch).catch(() => undefined)
        if (reply?.status === 202) taken.add(number)
        if (taken.size === 10) child.kill('SIGKILL')
      })
      await Promise.all(posting)
      await ended
    }
    await using repo = await repository({ into, gateways })
    await until('all that was taken is held', async () => {
      for (const number of taken) if ((await heldOf(into, `${UNI}/${number}`)) === undefined) return false
      return true
    })
    // A gateway that got no answer sends again, what was taken and what was not.
    const again = new GatewaySender(repo.watch.doors.url, NORTH)
    // Signed within the second in which it was killed, or while it is busy: whoever sends comes again, as gateways do.
    for (const batch of batches)
      await until('a batch is taken', async () => [200, 202].includes((await again.post(batch)).status))
    await until('all are taken', async () => (await repo.row('north'))?.batches === batches.length)
    assert.deepEqual(await hitsOf(into, `${UNI}/`), [batches.length, 0])
    assert.ok(taken.size >= 10, String(taken.size))
  })

  it('is not there unless somebody said so', async () => {
    await using watch = new PushWatch(newDirectory())
    await watch.opened
    const reply = await new GatewaySender(watch.doors.url, NORTH).send({})
    assert.deepEqual([reply.status, reply.kind], [404, 'not-found'])
  })

  it('leaves out what was excluded', async () => {
    await using repo = await repository({ crawl: { exclude: ['*/private/*'] } })
    await repo.north.send({ words: [passed('/private/a', 'Secret'), passed('/a', 'Alpha')] })
    assert.deepEqual((await repo.dealtWith('north', 1)).outcomes, { outside: 1, taken: 1 })
  })
})

const kindOf = async (
  reply: Promise<{ readonly status: number; readonly kind: string | undefined }>,
): Promise<unknown[]> => {
  const { status, kind } = await reply
  return [status, kind]
}
