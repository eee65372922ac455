/**
 * One SIGINT ends `comity watch`, whoever keeps it waiting at that moment: here somebody of every kind does. Each of them would
 * take half a minute and more to give up, or never would.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { connectCrawl } from '@comity/crawler'
import { comity, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { signedQuestion } from '../../packages/receiver/src/testing/sample-receiver.ts'
import { createCooperatingSite } from './cooperating-site.ts'
import { comesTrue, quickCrawl } from '../crawl/quick-crawl.ts'
import { page } from '../sites/small-site.ts'

const LIMIT = { timeout: 120_000 }
/** Well below what any of those takes that are waited for. */
const SOON_MS = 15_000

const folder = temporaryFolder()
const servers = new AsyncDisposableStack()
after(async () => {
  await servers.disposeAsync()
  folder[Symbol.dispose]()
})

/** What is being kept waiting, by name. */
const stalled = new Set<string>()

/** A server that answers what is listed, and nothing else ever. */
async function silent(name: string, address: string, answers: Readonly<Record<string, number>> = {}): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const status = new Map(Object.entries(answers)).get(url)
    if (status === undefined) stalled.add(`${name} ${url}`)
    else response.writeHead(status).end()
  })
  server.listen(0, address)
  await once(server, 'listening')
  servers.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${address}:${(server.address() as AddressInfo).port}`
}

test('one SIGINT ends a watch, whoever keeps it waiting', LIMIT, async () => {
  let isStalling = false
  const asked = (): boolean => {
    if (isStalling) stalled.add('question')
    return isStalling
  }
  // The page begins, and does not go on.
  const visited = ({ url }: IncomingMessage, response: ServerResponse): boolean => {
    if (!isStalling || url !== '/slow') return false
    stalled.add('page')
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>')
    return true
  }
  const pages = { '/': page('Home', '/slow'), '/slow': page('Slow') }
  const told = servers.use(await createCooperatingSite(pages, { address: '127.0.58.1', calls: true, before: asked }))
  const plain = servers.use(
    await createCooperatingSite(pages, { address: '127.0.58.2', schemes: ['robots'], before: visited }),
  )
  await quickCrawl(folder.at('collection'), [`${told.origin}/`, `${plain.origin}/`])
  const [noRules, noKey, noKeys] = [
    await silent('rules', '127.0.58.3'),
    await silent('key file', '127.0.58.4', { '/robots.txt': 404 }),
    await silent('key set', '127.0.58.5', { '/robots.txt': 404 }),
  ]
  isStalling = true
  const { promise: heardAt, resolve: hearAt } = Promise.withResolvers<string>()
  const { promise: started, resolve: start } = Promise.withResolvers<{ kill(signal: 'SIGINT' | 'SIGKILL'): boolean }>()
  let said = ''
  const ended = comity(
    ['watch', folder.at('collection'), '--listen', '127.0.58.9:0', '--allow-private', '--budget', '100/s'].concat([
      '--day',
      '5s',
      '--poll',
      '1s',
      '--delay',
      '0s',
      '--json',
      '--user-agent',
      'comity-test/1.0 (+https://example.org/bot)',
    ]),
    {
      onStart: start,
      onStderr: (text) => {
        said += text
        const found = /heard at (http:\S+)/.exec(said)
        if (found !== null) hearAt(found[1]!)
      },
    },
  )
  const child = await started
  servers.defer(() => void child.kill('SIGKILL'))
  const doors = await heardAt
  const isAdded = async (): Promise<boolean> => {
    using line = await connectCrawl(folder.at('collection'))
    await line?.addSeed(`${noRules}/`)
    return line !== undefined
  }
  assert.ok(await comesTrue(isAdded))
  await fetch(`${doors}/indexnow?url=${encodeURIComponent(`${noKey}/a`)}&key=a-key-that-is-there`)
  const signed = signedQuestion({ origin: noKeys, base: doors, type: 'application/xml', body: '<x/>' }, Date.now(), 'n')
  void fetch(`${doors}/push`, {
    method: 'POST',
    headers: signed.headers?.map(([name, value]): [string, string] => [name, value]) ?? [],
    body: String(signed.body),
  }).catch(() => undefined)
  const { hostname, port } = new URL(doors)
  const slow = connect({ host: hostname, port: Number(port) })
  servers.defer(() => void slow.destroy())
  slow.on('error', () => undefined)
  slow.write('POST /indexnow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{')
  const all = ['page', 'question', 'rules /robots.txt', 'key file /a-key-that-is-there.txt']
  const isStalled = (): boolean =>
    all.every((one) => stalled.has(one)) && [...stalled].some((one) => one.startsWith('key set'))
  assert.ok(await comesTrue(isStalled), [...stalled].join(', '))
  child.kill('SIGINT')
  let isLate = false
  const late = setTimeout(() => (isLate = true), SOON_MS)
  const end = await ended
  clearTimeout(late)
  assert.equal(isLate, false, 'it waited for somebody')
  assert.equal(end.code, 0, end.stderr)
  // Nobody was given up for having been cut off: all of it is asked for again by the next run.
  assert.deepEqual((lastJson(end) as { givenUp?: unknown[] }).givenUp, [])
})
