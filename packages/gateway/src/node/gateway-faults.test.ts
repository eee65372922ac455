/** One bad item stops nothing: faults are put into each layer, and all that is beside them must come out. */
import { readShipment } from '@comity/index'
import type { ShippedDocument } from '@comity/index'
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { BatchSender } from './batch-sender.ts'
import { BatchSpool } from './batch-spool.ts'
import type { CutBatch } from './batch-maker.ts'
import { containedPackets } from './containment.ts'
import { Dialogue, get, ok } from '../testing/dialogue-sample.ts'
import { FaultLog } from './fault-log.ts'
import { GatewayNode } from './gateway-node.ts'
import type { PageProgram } from './gateway-program.ts'
import { PageTable } from './shipped-page-table.ts'
import { pcapFile } from '../testing/packet-sample.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { sampleExchange } from '../testing/observed-exchange-sample.ts'
import { Rebuilder } from '../rebuilder.ts'

const PATHS = ['/one', '/bad', '/two']
const urlOf = (path: string): string => `http://www.site.example${path}`

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'comity-faults-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

interface Bench {
  readonly node: GatewayNode
  readonly faults: FaultLog
  /** Pages that were shipped, once all is done. */
  readonly shipped: () => Promise<string[]>
}

function bench(program?: Pick<PageProgram, 'judge'>, faults = new FaultLog()): Bench {
  const batches: CutBatch[] = []
  let last = 0
  const node = new GatewayNode({
    gate: { hosts: ['www.site.example'] },
    salt: Uint8Array.of(1),
    state: {
      table: new PageTable(1_000),
      run: 'run-00000001',
      get number() {
        return last
      },
      commit: (number) => void (last = number),
    },
    program: program === undefined ? undefined : { ...program, takeFaults: () => ({}) },
    faults,
    now: () => 1_800_000_000_000,
    onBatch: (cut) => void batches.push(cut),
  })
  const shipped = async (): Promise<string[]> => {
    await node.settle()
    node.cut()
    return batches.flatMap(({ batch }) => {
      const read = readShipment(batch.postings)
      return read.kind === 'shipment' ? read.documents.map(({ url }) => new URL(url).pathname) : []
    })
  }
  return { node, faults, shipped }
}

/** Whoever asks for the fields of its answer fails. */
function poisoned(observed: ObservedExchange, secret: string): ObservedExchange {
  const response = Object.defineProperty({ ...observed.response! }, 'headers', {
    get: () => {
      throw new TypeError(`${secret} has no fields`)
    },
  })
  return { ...observed, response }
}

test('an exchange that cannot be worked on is counted, and the next goes on', async (t) => {
  const path = join(folder(t), 'faults.jsonl')
  const told: string[] = []
  const { node, faults, shipped } = bench(undefined, new FaultLog({ path, tell: (text) => void told.push(text) }))
  for (const one of PATHS) {
    const observed = sampleExchange({ url: urlOf(one), ask: { Cookie: 'secret-cookie' } })
    const isBad = one === '/bad'
    node.observed(isBad ? poisoned(observed, 'secret-word') : sampleExchange({ url: urlOf(one) }))
  }
  assert.deepEqual(await shipped(), ['/one', '/two'])
  assert.deepEqual([node.figures.skipped, faults.counts.exchange, node.figures.messages], [{ fault: 1 }, 1, 3])
  assert.equal(told.length, 1)
  // Nothing of what was read is written, only where it failed.
  const [fault] = faults.read()
  assert.match(fault!.place, /^[\w-]+\.ts:\d+:\d+$/)
  assert.doesNotMatch(readFileSync(path, 'utf8'), /secret|198\.51|site\.example/)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

const rejecting: PageProgram['judge'] = ({ url }) =>
  url.endsWith('/bad') ? Promise.reject(new Error('no')) : Promise.resolve({ kind: 'index' })

test('a program that rejects for one page costs that page', async () => {
  const { node, faults, shipped } = bench({ judge: rejecting })
  for (const one of PATHS) node.observed(sampleExchange({ url: urlOf(one) }))
  assert.deepEqual(await shipped(), ['/one', '/two'])
  assert.deepEqual([node.figures.skipped, faults.counts.document], [{ fault: 1 }, 1])
})

test('a document that cannot be written does not take its batch along, and is not met again after a restart', async (t) => {
  const path = join(folder(t), 'faults.jsonl')
  let judged = 0
  const judge: PageProgram['judge'] = ({ url, digest }) => {
    judged++
    // What no writer of shipments can write.
    const broken = { url, digest: `sha-256:${digest}`, at: 1, links: [], content: { kind: 'text', text: 'x' } }
    return Promise.resolve(
      url.endsWith('/bad') ? { kind: 'replace', document: broken as unknown as ShippedDocument } : { kind: 'index' },
    )
  }
  for (const run of [1, 2]) {
    const { node, faults, shipped } = bench({ judge }, new FaultLog({ path, version: '1' }))
    for (const one of PATHS) node.observed(sampleExchange({ url: urlOf(one) }))
    assert.deepEqual(await shipped(), ['/one', '/two'], `run ${run}`)
    assert.equal(faults.counts.document, run === 1 ? 1 : 0)
    assert.deepEqual(node.figures.skipped, { fault: 1 })
    assert.equal(judged, run === 1 ? 3 : 5)
    assert.deepEqual(
      faults.read().map(({ url, stage }) => [url, stage]),
      [[urlOf('/bad'), 'document']],
    )
  }
  // Another version may have been mended.
  assert.equal(new FaultLog({ path, version: '2' }).isKnown({ url: urlOf('/bad'), digest: '' }), false)
})

test('a sink, a wish or a packet that fails costs one exchange, one connection, one packet', () => {
  const packets = PATHS.flatMap((path, each) => {
    const client = { address: [10, 1, 0, 1 + each], port: 40_000 + each }
    return new Dialogue({ client, startAt: 1_700_000_000_000 + each * 1_000 })
      .open()
      .exchange(get(path), ok('hello'))
      .exchange(get('/after'), ok('hello'))
      .close().packets
  })
  const run = (fails: 'sink' | 'wants'): { told: string[]; stages: string[] } => {
    const [told, stages]: [string[], string[]] = [[], []]
    const fail = (target: string | undefined, where: string): void => {
      if (where === fails && target === '/bad') throw new Error('no')
    }
    const rebuilder = new Rebuilder(
      {
        observed: ({ request }) => {
          fail(request?.target, 'sink')
          told.push(request!.target)
        },
      },
      {
        wants: (request) => {
          fail(request?.target, 'wants')
          return true
        },
        onFault: (stage) => void stages.push(stage),
      },
    )
    rebuilder.write(pcapFile(packets))
    rebuilder.end()
    assert.deepEqual(rebuilder.memory, { flows: 0, bytes: 0 })
    return { told, stages }
  }
  assert.deepEqual(run('sink'), { told: ['/one', '/after', '/after', '/two', '/after'], stages: ['exchange'] })
  assert.deepEqual(run('wants'), { told: ['/one', '/after', '/two', '/after'], stages: ['connection'] })
  const stages: string[] = []
  const sink = containedPackets(
    {
      packet: (at) => {
        if (at === 2) throw new Error('no')
      },
    },
    (stage) => void stages.push(stage),
  )
  for (const at of [1, 2, 3]) sink.packet(at, 1, new Uint8Array(), 0, 0)
  assert.deepEqual(stages, ['packet'])
})

test('a batch that cannot be read is set aside, and the next is sent', async (t) => {
  const path = join(folder(t), 'spool')
  new BatchSpool(path, 10_000).add('run-00000001', 2, Buffer.from('two'))
  // In the place of a file: no bytes can be had from it.
  mkdirSync(join(path, '0000000001-run-00000001.batch'))
  const sent: string[] = []
  const spool = new BatchSpool(path, 10_000)
  const sender = new BatchSender(spool, {
    post: (batch) => {
      sent.push(Buffer.from(batch).toString())
      return Promise.resolve({ status: 202, headers: [], body: new Uint8Array() })
    },
    now: () => 0,
    backOff: () => 0,
    schedule: { everyMs: 1, batchBytes: 1, batchRows: 1 },
    onRefused: () => undefined,
    tell: () => undefined,
  })
  assert.ok(await sender.drain())
  assert.deepEqual(sent, ['two'])
  assert.equal(sender.figures.setAside, 1)
  assert.deepEqual(readdirSync(path), ['0000000001-run-00000001.batch.aside'])
  assert.equal(new BatchSpool(path, 10_000).waiting.length, 0)
})

const at = (line: number): Error => Object.assign(new Error('no'), { stack: `Error\n  at gate.ts:${line}:1` })

test('the log has a size, and is read though a line of it is torn', (t) => {
  const path = join(folder(t), 'faults.jsonl')
  for (let run = 0; run < 5; run++) {
    const store = new FaultLog({ path, version: '1' })
    for (let each = 0; each < 3_000; each++) store.note('exchange', at(each % 900))
    assert.equal(store.count, 3_000)
  }
  assert.ok(statSync(path).size < 300_000)
  const text = readFileSync(path, 'utf8')
  rmSync(path)
  const store = new FaultLog({ path, version: '1' })
  store.note('document', at(1), { url: 'http://a.example/', digest: 'd' })
  assert.ok(text.endsWith('\n'))
  assert.ok(new FaultLog({ path, version: '1' }).isKnown({ url: 'http://a.example/', digest: 'd' }))
  assert.equal(new FaultLog({ path, version: '1' }).isKnown({ url: 'http://a.example/', digest: 'other' }), false)
})
