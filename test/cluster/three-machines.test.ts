// Runs alone: machines are lost by the clock.
/**
 * Three machines as processes, one of them killed with -9 in mid-crawl. The sites' own log is the judge: never two connections to one
 * address at once, none too soon, and in the end every page that can be reached is held, each by the shard that is its home.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, test } from 'node:test'
import type { ClusterAnswer } from '@comity/cluster'
import { createLivingWeb, violations } from '@comity/testbed'
import { startNats } from '../../packages/cluster/src/testing/nats-server.ts'
import { comity, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { holdingsOf } from '../crawl/holdings.ts'
import { comesTrue } from '../crawl/quick-crawl.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-cluster-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const DELAY_MS = 400
const lag = monitorEventLoopDelay({ resolution: 5 })
lag.enable()

interface Joined {
  readonly into: string
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

interface Status {
  readonly shards: readonly { readonly shard: number; readonly owner?: string; readonly pages: number }[]
  readonly machines: readonly { readonly id: string; readonly answers: boolean }[]
}

function join3(place: readonly string[], n: number): Joined {
  const into = join(scratch, `machine-${n}`)
  let child: ChildProcess | undefined
  const ended = comity(['cluster', 'join', ...place, '--into', into], { onStart: (one) => (child = one) })
  return { into, child: child!, ended }
}

test(
  'three machines crawl what can be reached, politely, though one of them is killed',
  { timeout: 240_000 },
  async (t) => {
    await using nats = await startNats(t)
    if (nats === undefined) return
    // Five names of different owners share one address; three addresses are of one site each.
    const named = [1, 2, 3, 4, 5].map((n) => ({ name: `named${n}`, host: `named${n}.localhost`, address: '127.0.0.1' }))
    const plain = [1, 2, 3].map((n) => ({ name: `plain${n}`, address: `127.0.61.${n}` }))
    await using web = await createLivingWeb({ seed: 11, sites: [...named, ...plain], largestSite: 12, troubleMs: 0 })
    const place = [nats.url, '--name', 'web']
    const vault = join(scratch, 'vault')
    const made = await comity([
      'cluster',
      'init',
      ...place,
      '--shards',
      '6',
      '--vault',
      vault,
      '--lease',
      '8s',
      '--take-over-after',
      '8s',
    ])
    assert.equal(made.code, 0, made.stderr)
    const machines = [1, 2, 3].map((n) => join3(place, n))
    t.after(() => machines.forEach(({ child }) => child.kill('SIGKILL')))
    const statusNow = async (): Promise<Status> => {
      const told = await comity(['cluster', 'status', ...place, '--json'])
      return lastJson(told) as unknown as Status
    }
    const isSpread = async (): Promise<boolean> =>
      new Set((await statusNow()).shards.map(({ owner }) => owner)).size === 3
    assert.ok(await comesTrue(isSpread, 60_000), 'each machine has its share of the shards')
    const speed = ['--allow-private', '--delay', `${DELAY_MS}ms`, '--scope', 'any']
    const agent = ['--user-agent', 'comity-test/1.0 (+https://example.org/bot)']
    const whole = comity(['crawl', web.home, '--cluster', ...place, '--json', ...speed, ...agent])
    assert.ok(await comesTrue(() => web.log.read().requests.length > 40, 60_000), 'it begins')
    machines[0]!.child.kill('SIGKILL')
    const ended = await whole
    assert.equal(ended.code, 0, ended.stderr)
    const summary = lastJson(ended)
    const toleranceMs = 40 + lag.max / 1e6
    const offences = violations(web.log.read(), { connectionGapMs: DELAY_MS, toleranceMs })
    // What a site asked for in an answer that no commit had acknowledged cannot be known after a kill (see politeness.test.ts).
    assert.deepEqual(
      offences.filter(({ rule }) => /connection/.test(rule)),
      [],
    )
    const status = await statusNow()
    const found = lastJson(await comity(['search', '--cluster', ...place, 'type:html', '--limit', '100', '--json']))
    const { results, shards } = found as unknown as ClusterAnswer
    assert.deepEqual(shards, { asked: 6, away: [] })
    assert.ok(new Set(results.map(({ shard }) => shard)).size > 1, 'pages of several shards are found')
    for (const { child } of machines.slice(1)) child.kill('SIGINT')
    const left = await Promise.all(machines.map(({ ended: one }) => one))
    assert.deepEqual(
      left.map(({ code, signal }) => code ?? signal),
      ['SIGKILL', 0, 0],
      left[1]!.stderr,
    )
    const held = await heldBy(status, machines)
    const wanted = [...web.reachable({ from: [web.home] }).urls].toSorted()
    assert.deepEqual([...held].toSorted(), wanted)
    assert.equal(summary['waiting'], 0)
    t.diagnostic(
      `${wanted.length} pages, ${web.log.read().requests.length} requests, tolerance ${toleranceMs.toFixed(0)} ms`,
    )
  },
)

/** Pages that were fetched, of the shards as their last owners have them. */
async function heldBy({ shards }: Status, machines: readonly Joined[]): Promise<Set<string>> {
  const held = new Set<string>()
  const { readFileSync } = await import('node:fs')
  const folders = new Map(
    machines.map(({ into }) => [
      (JSON.parse(readFileSync(join(into, 'machine.json'), 'utf8')) as { id: string }).id,
      into,
    ]),
  )
  for (const { shard, owner } of shards) {
    assert.ok(owner !== undefined, `shard ${shard} has an owner`)
    for (const [url, page] of await holdingsOf(join(folders.get(owner)!, `shard-${shard}`)))
      if (page.state === 'done' && page.row?.outcome === 'ok') held.add(url)
  }
  return held
}
