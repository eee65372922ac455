import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeBundle } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { newKeyRing } from '@comity/protocol'
import type { PostedAnswer } from './batch-sender.ts'
import { NOW, programBundle, programStore } from '../testing/program-fixture.ts'
import { programGetter, updateProgram } from './program-update.ts'
import type { UpdateOptions } from './program-update.ts'

const SOURCE = 'export function onPage() {}'
const answer = (status: number, body: Uint8Array | string = '', etag?: string): PostedAnswer => ({
  status,
  headers: etag === undefined ? [] : [['ETag', etag]],
  body: Buffer.from(body),
})
const getting = (given: PostedAnswer | AgentBundle): UpdateOptions => ({
  now: () => NOW,
  get: (_path, etag) => {
    if ('status' in given) return Promise.resolve(given)
    if (etag === `"${given.digest}"`) return Promise.resolve(answer(304))
    return Promise.resolve(answer(200, writeBundle(given), `"${given.digest}"`))
  },
})

test('what is nominated is installed once, and an older version too', async (t) => {
  const store = programStore(t)
  const [one, two] = [programBundle('1.0.0', SOURCE), programBundle('2.0.0', SOURCE)]
  assert.deepEqual(await updateProgram(store, 'rules', getting(one)), { kind: 'installed', version: '1.0.0' })
  assert.deepEqual(await updateProgram(store, 'rules', getting(one)), { kind: 'same' })
  assert.deepEqual(await updateProgram(store, 'rules', getting(two)), { kind: 'installed', version: '2.0.0' })
  assert.deepEqual(await updateProgram(store, 'rules', getting(one)), { kind: 'installed', version: '1.0.0' })
  assert.equal(store.agent('rules').current, one.digest)
})

test('a version that failed here is not installed again, whoever nominates it', async (t) => {
  const [one, two] = [programBundle('1.0.0', SOURCE), programBundle('2.0.0', SOURCE)]
  const store = programStore(t, one, two)
  store.changeAgent('rules', (agent) => ({
    ...agent,
    current: one.digest,
    versions: agent.versions.map((version) =>
      version.digest === two.digest ? { ...version, withdrawn: 'it threw' } : version,
    ),
  }))
  const update = await updateProgram(store, 'rules', getting(two))
  assert.deepEqual(update, { kind: 'kept-back', version: '2.0.0', reason: 'it threw' })
  assert.equal(store.agent('rules').current, one.digest)
})

test('a gateway whose only version failed does not say that it runs it', async (t) => {
  const one = programBundle('1.0.0', SOURCE)
  const store = programStore(t, one)
  store.changeAgent('rules', (agent) => ({
    ...agent,
    versions: agent.versions.map((version) => ({ ...version, withdrawn: 'it threw' })),
  }))
  const update = await updateProgram(store, 'rules', getting(one))
  assert.deepEqual(update, { kind: 'kept-back', version: '1.0.0', reason: 'it threw' })
})

const stranger = newKeyRing(Buffer.alloc(32, 9), 0)[0]
const refused: [sentence: string, given: PostedAnswer | AgentBundle, kind: string, problem: RegExp][] = [
  [
    'a program that a stranger signed',
    programBundle('1.0.0', SOURCE, stranger),
    'refused',
    /none of its keys is trusted here/,
  ],
  ['bytes that are no program', answer(200, 'hello'), 'refused', /no program/],
  [
    'another program under its name',
    answer(200, writeBundle(programBundle('1.0.0', SOURCE)), '"x"'),
    'refused',
    /not what it says/,
  ],
  [
    'a gateway without a licence',
    answer(404, '{"detail":"There is no program rules for north."}'),
    'refused',
    /404: There is no program rules for north\./,
  ],
  ['a repository that is down', answer(503), 'unreachable', /503/],
]
for (const [sentence, given, kind, problem] of refused) {
  test(`${sentence}: nothing is installed, and it is said why`, async (t) => {
    const store = programStore(t)
    const update = await updateProgram(store, 'rules', getting(given))
    assert.equal(update.kind, kind)
    assert.match('problem' in update ? update.problem : '', problem)
    assert.deepEqual(store.read().agents, [])
  })
}

test('no answer is no reason to stop', async (t) => {
  const get = programGetter(
    ({ url, method }) => Promise.reject(new Error(`no way to ${method} ${url}`)),
    'https://r.example',
  )
  const update = await updateProgram(programStore(t), 'rules', { get, now: () => NOW })
  assert.deepEqual(update, { kind: 'unreachable', problem: 'no way to GET https://r.example/programs/rules' })
})
