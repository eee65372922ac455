import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { answerOf } from './answer.ts'
import { planWeb } from './plan.ts'
import { changesNextAt, versionOf } from './site.ts'
import type { LivingPage } from './site.ts'
import { LivingTruth } from './truth.ts'
import { specOf } from './site-specs.ts'

const epoch = Date.UTC(2026, 0, 1)
const [site] = planWeb(3, [{ spec: specOf(0), origin: 'http://127.0.1.1' }], epoch)
const home = site!.resources.get('/') as LivingPage
const truth = new LivingTruth([site!])
const url = 'http://127.0.1.1/'
const digestAt = (path: string, at: number): string => hash('sha256', answerOf(site!, path, {}, at).body)

test('a copy is fresh until the page changes, and then ages from that moment', () => {
  const change = changesNextAt(home, epoch, epoch + 1_000)
  const digest = digestAt('/', epoch + 1_000)
  assert.deepEqual(truth.copyState(url, digest, epoch + 1_000, change - 1), {
    site: site!.spec.name,
    isFresh: true,
    ageMs: 0,
  })
  assert.deepEqual(truth.copyState(url, digest, epoch + 1_000, change + 500), {
    site: site!.spec.name,
    isFresh: false,
    ageMs: 500,
  })
  assert.equal(truth.copyState(url, digest.slice(0, 32), epoch, change - 1)?.isFresh, true, 'the beginning is enough')
})

test('every page is judged by what is served, copies too', () => {
  for (const page of site!.resources.values()) {
    if (page.kind !== 'page') continue
    const at = epoch + 100_000
    const state = truth.copyState(site!.origin + page.path, digestAt(page.path, at), at, at)
    assert.equal(state?.isFresh, true, page.path)
  }
})

test('what is no page of this web is not judged', () => {
  assert.equal(truth.copyState('http://127.0.1.9/', 'ab', 0, epoch), undefined)
  assert.equal(truth.copyState('http://127.0.1.1/images/1.svg', 'ab', 0, epoch), undefined)
  assert.equal(truth.changes('http://127.0.1.9/', 0, epoch), 0)
})

test('changes between two instants are those of the versions', () => {
  const until = epoch + 500_000
  assert.equal(truth.changes(url, epoch, until), versionOf(home, epoch, until))
  assert.ok(truth.changes(url, epoch, until) > 10)
})

test('the next change is the first instant at which the version is another', () => {
  for (let at = epoch; at < epoch + 100_000; at += 7_000) {
    const next = changesNextAt(home, epoch, at)
    assert.ok(next > at)
    assert.equal(versionOf(home, epoch, next - 1), versionOf(home, epoch, at))
    assert.equal(versionOf(home, epoch, next), versionOf(home, epoch, at) + 1)
  }
})
