import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBundle } from '@comity/agent'
import type { AgentManifest, StoredAgent } from '@comity/agent'
import { agentLines, auditLines, bundleLines, outcomeText } from './report.ts'
import { plain } from '../terminal/terminal.ts'

const manifest: AgentManifest = {
  name: 'sample',
  version: '1.0.0',
  about: 'Does \u202esomething.',
  api: 1,
  hostVersion: '0.1.0',
  engine: 'https://engine.example/keys',
  madeAt: 0,
  expiresAt: 86_400_000,
  perPage: false,
  reads: ['pages', 'log'],
  emits: ['meta'],
  unaudited: ['hits'],
  caps: { cpuMs: 3_600_000 },
}

test('a bundle is told with what it asks for and what it gets, and cannot paint the screen', () => {
  const text = bundleLines(makeBundle(manifest, ''), plain).join('\n')
  assert.match(text, /^sample 1\.0\.0 {2}Does {2}something\./)
  assert.match(text, /asks for +cpuMs 3,600,000 \(gets 60,000\)/)
  assert.match(text, /reads +public pages, how often pages were read \(if you allow it\)/)
  assert.match(text, /not audited +hits/)
})

test('an agent is told with all its versions and why one does not run', () => {
  const version = { signers: [], installedAt: 0, expiresAt: 86_400_000, done: 3, faults: 0 }
  const agent: StoredAgent = {
    name: 'sample',
    engine: manifest.engine,
    versions: [
      { ...version, digest: 'a', version: '1.0.0' },
      { ...version, digest: 'b', version: '2.0.0', withdrawn: 'revoked by its engine (leaks)' },
      { ...version, digest: 'c', version: '3.0.0' },
    ],
    current: 'a',
    candidate: { digest: 'c', rollOut: { kind: 'canary', runs: 5 } },
    runs: 7,
    mayReadLog: false,
    memory: {},
    results: [7],
    last: { run: 7, at: 0, version: '1.0.0', outcome: 'too-slow', message: 'late', records: 0 },
  }
  const lines = agentLines([agent], 0, plain)
  assert.equal(lines[0], 'sample  version 3.0.0  of https://engine.example/keys')
  assert.match(
    lines.join('\n'),
    /1\.0\.0 +3 good runs, until 1970-01-02 {2}current\n.*revoked by its engine \(leaks\)\n.*on trial\n/,
  )
  assert.match(
    lines.join('\n'),
    /last run 1970-01-01 00:00: too-slow: it used up .* \(late\), 0 records\n {2}1 result to be sent/,
  )
})

test('an audit is told in one sentence, and each disagreement with both sides', () => {
  const counts = { mode: 'per-page', compared: 5, moved: 1, disagreeing: 1 } as const
  assert.deepEqual(auditLines({ kind: 'agrees', ...counts, disagreeing: 0, disagreements: [] }, plain), [
    'Agrees: 5 pages compared one by one, 1 were other pages then.',
  ])
  const record = { kind: 'meta', url: 'https://a.example/' } as const
  const told = auditLines(
    { kind: 'differs', ...counts, disagreements: [{ url: record.url, what: 'missing', ours: record }] },
    plain,
  )
  assert.match(
    told.join('\n'),
    /of 1 page the site says something else\.\n {2}https:\/\/a\.example\/\n {4}it said nothing\n {4}we get \{"kind"/,
  )
  assert.match(auditLines({ kind: 'not-comparable', reason: 'no pages' }, plain)[0]!, /Nothing can be said: no pages/)
  assert.match(auditLines({ kind: 'failed', outcome: 'threw', message: 'no' }, plain)[0]!, /does not run here/)
})

test('an outcome is told by name and meaning', () => {
  assert.equal(outcomeText('done', '', plain), 'done')
  assert.equal(outcomeText('too-deep', '', plain), 'too-deep: its calls went deeper than its stack')
})
