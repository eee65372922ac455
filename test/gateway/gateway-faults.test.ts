/**
 * Faults of our own in a running `comity gateway`, put there by a module that the process loads first. One that is in a page or an
 * exchange is contained: named, counted, written down. One that ends the command ends the process with code 1, whatever else is
 * open: a pipe, a file that grows, tcpdump, a port.
 */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { comity, comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended, SpawnOptions } from '../../packages/cli/src/testing/spawned-comity.ts'
import { Dialogue } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const TIMEOUT = { timeout: 120_000 }

const body = '<title>A page</title><p>words'
const exchange = (path: string, host = 'www.site.example'): [string, string] => [
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
]
const packets = (...said: [string, string][]) =>
  said.flatMap(([request, answer], each) => {
    const client = { address: [198, 51, 100, 1 + each], port: 40_000 }
    const server = { address: [192, 0, 2, 80], port: 80 }
    const talk = new Dialogue({ client, server, startAt: 1_700_000_000_000 + each * 100 })
    return talk.open().exchange(request, answer).close().packets
  })
const capture = folder.at('site.pcap')
writeFileSync(capture, pcapFile(packets(exchange('/one'), exchange('/bad'), exchange('/two'))))

/** A module that changes a method of a class of the gateway's, for a process to load first. */
function preload(name: string, file: string, code: string): SpawnOptions['env'] & object {
  const module = new URL(`../../packages/gateway/src/${file}`, import.meta.url).href
  writeFileSync(folder.at(`${name}.mjs`), `import * as all from ${JSON.stringify(module)}\n${code}\n`)
  return { NODE_OPTIONS: `--import ${folder.at(`${name}.mjs`)}` }
}

const BAD_PAGE = `const { pass } = all.PrivacyGate.prototype
all.PrivacyGate.prototype.pass = function (passing) {
  if (passing.url.endsWith('/bad')) throw new TypeError('secret words of a reader')
  return pass.call(this, passing)
}`

test(
  'a page that cannot be worked on is named and counted, and written down without a word of it',
  TIMEOUT,
  async () => {
    const state = folder.at('state')
    const env = preload('page', 'privacy/privacy-gate.ts', BAD_PAGE)
    const ended = await comity(['gateway', '--pcap', capture, '--state', state, '--json'], { env })
    assert.equal(ended.code, 0, ended.stderr)
    const json = lastJson(ended) as { skipped: object; faults: Record<string, unknown>; verdicts: { new: number } }
    assert.deepEqual([json.skipped, json.verdicts.new, json.faults['count']], [{ fault: 1 }, 2, 1])
    assert.match(ended.stderr, /A fault of ours: a request and its answer could not be worked on/)
    const written = readFileSync(`${state}/faults.jsonl`, 'utf8')
    assert.match(written, /"stage":"exchange","error":"TypeError","place":"[\w-]+\.ts:\d+:\d+"/)
    assert.doesNotMatch(written, /secret|198\.51|bad/)
  },
)

test('hosts that are names of every object are hosts like others', TIMEOUT, async () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
  writeFileSync(folder.at('names.pcap'), pcapFile(packets(...names.map((name) => exchange('/', name)))))
  const ended = await comityHere(['gateway', '--pcap', folder.at('names.pcap'), '--query', 'a.example=b', '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const json = lastJson(ended) as {
    faults: Record<string, unknown>
    verdicts: { new: number }
    skipped: Record<string, number>
  }
  // Capitals are no plain spelling of a host.
  const plain = names.filter((name) => name === name.toLowerCase()).length
  assert.deepEqual([json.verdicts.new, json.faults['count']], [plain, 0])
  assert.equal(json.skipped['unsure-url'], names.length - plain)
})

/** Something that tcpdump would be: it writes a capture, and goes on for ever. */
writeFileSync(
  folder.at('tcpdump'),
  `#!/bin/sh\necho $$ > ${folder.at('tcpdump.pid')}\necho 'listening on x' >&2\ncat ${capture}\nexec sleep 600\n`,
)
chmodSync(folder.at('tcpdump'), 0o755)

const BROKEN = `all.Rebuilder.prototype.write = () => { throw new Error('broken on purpose') }`
const BROKEN_SENDER = `all.BatchSender.prototype.tick = async () => { throw new Error('broken on purpose') }`
const shipping = (name: string): string[] => [
  '--state', folder.at(`state-${name}`), '--to', 'http://127.0.0.1:9', '--hosts', 'www.site.example',
] // oxfmt-ignore
const packetShipping = (name: string): string[] => [...shipping(name), '--servers', '192.0.2.80']

// oxfmt-ignore
const endings: [what: string, words: string[], file: string, code: string, options?: SpawnOptions][] = [
  ['a capture',           ['--pcap', capture],                                                        'rebuilder.ts', BROKEN],
  ['a pipe that stays open', ['--pcap', '-'],                                                         'rebuilder.ts', BROKEN],
  ['a capture that grows', ['--pcap', capture, '--follow'],                                           'rebuilder.ts', BROKEN],
  ['tcpdump',             ['--live', 'lo'],                                                           'rebuilder.ts', BROKEN],
  ['tcpdump, by the sender', ['--live', 'lo', ...packetShipping('live')],                             'node/batch-sender.ts', BROKEN_SENDER],
  ['a capture that grows, by the sender', ['--pcap', capture, '--follow', ...packetShipping('follow')], 'node/batch-sender.ts', BROKEN_SENDER],
  ['a port, by the sender', ['--proxy', 'http://127.0.0.1:9', '--listen', '0', ...shipping('proxy')], 'node/batch-sender.ts', BROKEN_SENDER],
]
for (const [what, words, file, code] of endings) {
  test(`a fault that ends the command ends the process, with 1: ${what}`, TIMEOUT, async () => {
    const env = { ...preload('end', file, code), PATH: `${folder.at('')}${delimiter}${process.env['PATH']}` }
    const ended = await endedSoon(['gateway', ...words], env)
    assert.equal(ended.code, 1, ended.stderr)
    assert.match(ended.stderr, /broken on purpose/)
    if (words.includes('--live')) await assertGone(Number(readFileSync(folder.at('tcpdump.pid'), 'utf8')))
  })
}

/** Its input stays open until it has ended, or has had long enough. */
async function endedSoon(words: string[], env: Record<string, string>): Promise<Ended> {
  let timer: NodeJS.Timeout | undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended = comity(words, {
    env,
    onStart: (child) => {
      timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
      child.stdin!.write(readFileSync(capture))
      // Who ends it is the process, not whoever writes.
      child.stdin!.end = ((): unknown => child.stdin) as never
      child.on('exit', () => resolve())
    },
  })
  await promise
  clearTimeout(timer)
  return await ended
}

async function assertGone(pid: number): Promise<void> {
  for (let wait = 0; wait < 100 && existsSync(`/proc/${pid}`); wait++) await sleep(100)
  assert.equal(existsSync(`/proc/${pid}`), false, 'tcpdump was left behind')
}
