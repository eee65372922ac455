import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { bodyDigest, endLine, headLine, recordLine } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { placeAgent } from './placement.ts'
import { EngineAgents } from './engine-agents.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const AT = Date.UTC(2026, 10, 15)
const HOME = 'https://a.example/'
const BODY = Buffer.from('<p>two cats</p>')
const SOURCE = `export const manifest = { name: 'lengths', version: '1.0.0', about: 'Lengths.', perPage: true, emits: ['meta'] }
export function onPage(page, agent) { agent.emit({ kind: 'meta', url: page.url, length: agent.html(page).text.length }) }`

async function engine(
  name: string,
): Promise<{ agents: EngineAgents; bundle: AgentBundle; dir: string; clock: { now: number } }> {
  const dir = folder.at(name)
  const clock = { now: AT }
  const places = { agents: folder.at(`${name}-site`), bundles: dir, engine: 'https://engine.example/' }
  const bundle = await placeAgent({ source: SOURCE, ...places, at: AT })
  return { agents: new EngineAgents(dir, () => clock.now), bundle, dir, clock }
}

function result({ digest }: AgentBundle, records: readonly object[], at = AT): Buffer {
  const head = { agent: 'lengths', version: '1.0.0', bundle: digest, at, pages: 1, pagesDigest: bodyDigest(BODY) }
  const lines = records.map((record) => recordLine({ page: bodyDigest(BODY), text: JSON.stringify(record) }))
  return Buffer.from([headLine(head), ...lines, endLine(records.length)].join(''))
}

const signal = new AbortController().signal

test('what a bundle of ours said is read, page by page', async () => {
  const { agents, bundle } = await engine('read')
  const body = result(bundle, [
    { kind: 'meta', url: HOME, change: 'updated' },
    { kind: 'meta', url: HOME, importance: 0.5 },
    { kind: 'meta', url: `${HOME}b`, importance: 'much' },
  ])
  const news = await agents.read(body)
  assert.ok('claims' in news)
  assert.deepEqual([news.agent, news.isPerPage, news.at], ['lengths', true, AT])
  const [first, second] = news.claims
  assert.deepEqual(
    [first?.url, first?.change, first?.importance, first?.digest],
    [HOME, 'updated', 0.5, bodyDigest(BODY)],
  )
  assert.deepEqual([second?.change, second?.importance], [undefined, undefined])
})

test('a long result is read by a thread, and says the same', { timeout: 60_000 }, async () => {
  const { agents, bundle } = await engine('long')
  const records = Array.from({ length: 2_000 }, (_, n) => ({ kind: 'meta', url: `${HOME}${n}`, change: 'updated' }))
  const news = await agents.read(result(bundle, records))
  assert.ok('claims' in news)
  assert.deepEqual([news.claims.length, news.claims.at(-1)?.url], [2_000, `${HOME}1999`])
  const cut = await agents.read(result(bundle, records).subarray(0, -9))
  assert.match('problem' in cut ? cut.problem : '', /cut/)
})

test('what is of no bundle here, of one that had expired, or of a kind that it does not emit, is not', async () => {
  const { agents, bundle, dir, clock } = await engine('not')
  const problemOf = async (body: Buffer): Promise<string> => {
    const read = await agents.read(body)
    return 'problem' in read ? read.problem : ''
  }
  const meta = [{ kind: 'meta', url: HOME }]
  assert.equal(await problemOf(result(bundle, meta)), '')
  assert.match(await problemOf(result({ ...bundle, digest: `sha-256:${'1'.repeat(64)}` }, meta)), /is offered/)
  assert.match(await problemOf(result(bundle, [{ kind: 'postings', url: HOME }])), /emits no postings/)
  assert.match(await problemOf(result(bundle, meta, AT + 400 * 86_400_000)), /had expired/)
  assert.match(await problemOf(Buffer.from('what?')), /cut/)
  rmSync(join(dir, 'lengths-1.0.0.agent'))
  clock.now += 60_000
  assert.match(await problemOf(result(bundle, meta)), /is offered/, 'it was taken out')
})

test('an audit agrees with a site that ran the program, and not with one that did not', async () => {
  const { agents, bundle } = await engine('audit')
  const page = { url: HOME, type: 'text/html', body: BODY }
  const audited = async (length: number): Promise<boolean | undefined> => {
    const news = await agents.read(result(bundle, [{ kind: 'meta', url: HOME, length }]))
    assert.ok('claims' in news)
    return await agents.audit(news, page, signal)
  }
  assert.equal(await audited(8), true)
  assert.equal(await audited(9), false)
  const news = await agents.read(result(bundle, [{ kind: 'meta', url: HOME, length: 8 }]))
  assert.ok('claims' in news)
  assert.equal(await agents.audit(news, { ...page, body: Buffer.from('another page') }, signal), undefined)
})

test('whatever comes, and whatever lies in the folder, nothing is thrown', async () => {
  const { agents, dir } = await engine('any')
  mkdirSync(join(dir, 'folder.agent'))
  writeFileSync(join(dir, 'none.agent'), 'comity-agent 1\n')
  assert.equal(new EngineAgents(dir).offered.length, 1)
  const property = fc.asyncProperty(fc.uint8Array(), async (bytes) =>
    assert.ok('problem' in (await agents.read(bytes))),
  )
  await fc.assert(property)
  assert.throws(() => new EngineAgents(folder.at('nowhere')), /is no folder: put the bundles that sites may run there/)
})
