/** `comity receive`: what gateways and sites send is taken in and found, and no page is visited. By the real commands. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { keyRingOf } from './gateway-sender.ts'
import { PushSender } from '../push/push-sender.ts'
import { nextSecond, page, until, watchedSite } from '../push/push-watch.ts'
import { running } from '../running-command.ts'
import { createSmallSite } from '../sites/small-site.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const children: ChildProcess[] = []
after(() => children.forEach((child) => child.kill('SIGKILL')))
const LIMIT = { timeout: 120_000 }

const PLACE = /are heard at http:\/\/[\d.]+:(?<port>\d+)/
const found = async (dir: string, words: string): Promise<string[]> => {
  const ended = await comityHere(['search', dir, words, '--json'])
  if (ended.code !== 0) return []
  return (lastJson(ended)['results'] as { readonly url: string }[]).map(({ url }) => url)
}

test('what a gateway ships can be searched, in a collection that nothing was ever crawled into', LIMIT, async () => {
  await using site = await createSmallSite({ '/a': page('Alpha quokka'), '/b': page('Beta quokka') })
  const { host } = new URL(site.origin)
  const [into, state, gateways] = [folder.at('campus'), folder.at('gateway'), folder.at('gateways.json')]
  const key = await comityHere(['gateway', 'key', '--state', state, '--name', 'north', '--hosts', host])
  writeFileSync(gateways, key.stdout)
  const words = ['receive', into, '--listen', '127.0.59.9:0', '--gateways', gateways, '--allow-private', '--json']
  const receiver = await running(words, PLACE, (child) => children.push(child))
  const to = `http://127.0.59.9:${receiver.port}`
  const urls = [`${site.origin}/a`, `${site.origin}/b`]
  const shipped = await comityHere(['gateway', 'fetch', ...urls, '--state', state, '--to', to, '--hosts', host])
  assert.equal(shipped.code, 0, shipped.stderr)
  const asked = site.asked.length
  await until('both are found', async () => (await found(into, 'quokka')).length === 2)
  assert.deepEqual(await found(into, 'alpha'), [`${site.origin}/a`])
  const ended = await receiver.stop()
  assert.equal(ended.code, 0, ended.stderr)
  const { watch } = lastJson(ended) as { watch: { gateways: { north: { outcomes: object } }; requests: number } }
  assert.deepEqual([watch.gateways.north.outcomes, watch.requests], [{ taken: 2 }, 0])
  assert.equal(site.asked.length, asked, 'the repository asked the site for nothing')
})

test('what a site pushes is taken in; of the site, only who it is and what it allows is asked for', LIMIT, async () => {
  const ring = keyRingOf(21)
  const pages = { '/': page('Home', '/news', '/new'), '/news': page('News 1'), '/new': page('New') }
  const quiet = { visits: false, signals: false, subscriptions: 0, explore: 0 }
  await using both = await watchedSite(pages, { calls: { keys: { ring: () => ring } } }, { watch: quiet })
  const { site, watch } = both
  const asked = site.asked.length
  const sender = new PushSender(watch.doors.url, site.origin, () => ring)
  const url = `${site.origin}/news`
  await nextSecond()
  const reply = await sender.pages({ url, body: page('News 2'), at: Date.now() })
  assert.equal(reply.status, 202)
  await until('what was pushed is held', () => watch.holds(url, 'News 2'))
  // Something to visit: a change of which only the page's name came.
  await sender.pages({ url, status: 226, headers: [['IM', 'vcdiff']], body: 'of nothing we hold', at: Date.now() })
  await until('it is dealt with', () => watch.outcomes(url).length === 2)
  await nextSecond()
  const paths = new Set(site.asked.slice(asked).map(({ path }) => path))
  assert.deepEqual(
    [...paths].filter((path) => Object.hasOwn(pages, path)),
    [],
  )
})

test('a folder that is no collection needs gateways to become one', async () => {
  const ended = await comityHere(['receive', folder.at('nowhere'), '--listen', '0'])
  assert.match(ended.stderr, /is no collection: make one with comity crawl/)
  assert.equal(ended.code, 2)
})
