import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import type { ObservedExchange } from '@comity/gateway'
import { parseCommandLine } from '../command-line.ts'
import { gatewayCommand } from './command.ts'
import type { GatewaySettings } from './flags.ts'
import { isEndless, sourceOf } from './source.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const settingsOf = (...words: string[]): GatewaySettings => parseCommandLine(gatewayCommand, words, {}).settings
const sinkOf = (exchanges: ObservedExchange[]) => ({
  observed: (observed: ObservedExchange) => void exchanges.push(observed),
})

test('what goes on until somebody stops it is known', () => {
  assert.ok(isEndless(settingsOf('--live', 'lo')))
  assert.ok(isEndless(settingsOf('--pcap', 'x', '--follow')))
  assert.ok(isEndless(settingsOf('--proxy', 'http://127.0.0.1:9')))
  assert.equal(isEndless(settingsOf('--pcap', 'x')), false)
})

test('without a source there is none', async () => {
  assert.equal(await sourceOf(settingsOf(), { sink: sinkOf([]), say: () => undefined }), undefined)
})

test('a file that is no capture is told, with what was read before', async () => {
  using folder = temporaryFolder()
  writeFileSync(folder.at('text'), 'no capture at all, but long enough to look like something')
  const source = await sourceOf(settingsOf('--pcap', folder.at('text')), { sink: sinkOf([]), say: () => undefined })
  const problems = await source!.run(new AbortController().signal)
  assert.equal(problems.length, 1)
  assert.deepEqual(source!.figures().packets, 0)
})

test('a proxy tells what passes, says where it listens, and stops when told', async () => {
  const origin = createServer(
    (_, response) => void response.setHeader('Content-Type', 'text/html').end('<p>hello'),
  ).listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const { port } = origin.address() as AddressInfo
  const [exchanges, said]: [ObservedExchange[], string[]] = [[], []]
  const settings = settingsOf('--proxy', `http://127.0.0.1:${port}`, '--listen', '0')
  const source = await sourceOf(settings, { sink: sinkOf(exchanges), say: (text) => void said.push(text) })
  const stop = new AbortController()
  const running = source!.run(stop.signal)
  const [, url] = /^(http:\S+) answers for/.exec(said[0]!)!
  assert.equal(await (await fetch(`${url}/page`, { headers: { Connection: 'close' } })).text(), '<p>hello')
  stop.abort()
  assert.deepEqual(await running, [])
  assert.equal(exchanges.length, 1)
  assert.equal(exchanges[0]!.verdict, 'whole')
  assert.equal(source!.figures().flows, 1)
  origin.closeAllConnections()
  origin.close()
})
