import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Attempts, endedAtWork } from './attempts.ts'
import {
  countLetters,
  DeadLetters,
  deadLetters,
  dropLetters,
  letterSummary,
  readLetter,
  retryLetters,
} from './dead-letters.ts'
import type { NewLetter } from './dead-letters.ts'
import { diskFull } from '../errors.ts'
import { isStorageFault } from './storage-fault.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-letters-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

const letter = (n: number, body = `body ${n}`): NewLetter => ({
  kind: 'sent',
  at: n,
  reason: `TypeError: ${n} is no page`,
  url: `http://a.example/${n}`,
  origin: 'http://a.example',
  body: Buffer.from(body),
})

test('a letter is kept with its reason and its bytes, and there is no folder before the first', (t) => {
  const dir = folder(t)
  const letters = new DeadLetters(dir, 'crawl')
  assert.deepEqual([readdirSync(dir), deadLetters(dir), countLetters(dir)], [[], [], 0])
  letters.keep(letter(7))
  const [one, ...others] = deadLetters(dir)
  assert.deepEqual(
    [one?.name, one?.reason, one?.url, one?.bytes, one?.isCut, others],
    ['crawl-1', 'TypeError: 7 is no page', 'http://a.example/7', 6, false, []],
  )
  assert.equal(Buffer.from(readLetter(dir, 'crawl-1')!.body).toString(), 'body 7')
  assert.equal(readLetter(dir, 'crawl-2'), undefined)
  assert.equal(readLetter(dir, '../../etc/passwd'), undefined)
  assert.equal(statSync(join(dir, 'dead-letters')).mode & 0o777, 0o700)
})

test('the newest stay within the limits, and the numbers say how many there were', (t) => {
  const dir = folder(t)
  const letters = new DeadLetters(dir, 'crawl', { maxLetters: 3, maxBodyBytes: 4 })
  for (let n = 1; n <= 10; n++) letters.keep(letter(n))
  assert.deepEqual(
    deadLetters(dir).map(({ name }) => name),
    ['crawl-8', 'crawl-9', 'crawl-10'],
  )
  assert.equal(countLetters(dir), 10)
  assert.deepEqual([readLetter(dir, 'crawl-10')!.isCut, readLetter(dir, 'crawl-10')!.body.length], [true, 4])
  const small = new DeadLetters(dir, 'crawl', { maxBytes: 2_000 })
  for (let n = 11; n <= 30; n++) small.keep(letter(n, 'x'.repeat(500)))
  const bytes = readdirSync(join(dir, 'dead-letters')).reduce(
    (sum, file) => sum + statSync(join(dir, 'dead-letters', file)).size,
    0,
  )
  assert.ok(bytes <= 2_000, `${bytes} bytes`)
  assert.equal(deadLetters(dir).at(-1)?.name, 'crawl-30')
})

test('letters of several writers stand beside each other, are dropped, and tried again', (t) => {
  const dir = folder(t)
  const [crawl, index] = [new DeadLetters(dir, 'crawl'), new DeadLetters(dir, 'index')]
  crawl.keep(letter(1))
  index.keep({ ...letter(2), kind: 'document' })
  crawl.keep(letter(3))
  assert.equal(
    retryLetters(dir, ({ name }) => name === 'crawl-2'),
    1,
  )
  assert.deepEqual(
    deadLetters(dir).map(({ name, isRetried }) => [name, isRetried]),
    [
      ['crawl-1', false],
      ['crawl-2', true],
      ['index-1', false],
    ],
  )
  const [again] = new DeadLetters(dir, 'crawl').retries()
  assert.equal(Buffer.from(again!.body).toString(), 'body 3')
  assert.deepEqual(index.retries(), [])
  crawl.settled(again!)
  assert.equal(
    dropLetters(dir, ({ writer }) => writer === 'index'),
    1,
  )
  assert.deepEqual(
    deadLetters(dir).map(({ name }) => name),
    ['crawl-1'],
  )
})

test('what is no letter is passed over', (t) => {
  const dir = folder(t)
  new DeadLetters(dir, 'crawl').keep(letter(1))
  for (const [name, text] of [
    ['crawl-000000000002.letter', 'not json\n'],
    ['crawl-000000000003.letter', '{"format":9}\n'],
    ['notes.txt', 'x'],
  ] as const)
    writeFileSync(join(dir, 'dead-letters', name), text)
  assert.deepEqual(
    deadLetters(dir).map(({ name }) => name),
    ['crawl-1'],
  )
})

test('what was worked on when a process ended is counted, until it ends in another way', (t) => {
  const path = join(folder(t), 'attempts.log')
  for (let life = 0; life < 3; life++) {
    // Not disposed of: the process ends.
    const attempts = new Attempts(path)
    assert.deepEqual([attempts.of('bad'), attempts.of('good')], [life, 0])
    attempts.begin('good')
    attempts.end('good')
    attempts.begin('bad')
  }
  {
    using attempts = new Attempts(path)
    assert.equal(attempts.of('bad'), 3)
    attempts.begin('bad')
    attempts.end('bad')
  }
  using attempts = new Attempts(path)
  assert.equal(attempts.of('bad'), 0)
})

test('what was given up is remembered, whatever ends, until what follows from it is durable', (t) => {
  const path = join(folder(t), 'attempts.log')
  {
    const attempts = new Attempts(path)
    attempts.giveUp('bad')
    attempts.begin('next')
    assert.equal(endedAtWork(path), true)
  }
  {
    using attempts = new Attempts(path)
    const known = ['bad', 'next', 'other'].map((item) => [attempts.isGivenUp(item), attempts.wasAtHand(item)])
    assert.deepEqual(known, [
      [true, false],
      [false, true],
      [false, false],
    ])
    attempts.begin('next')
    attempts.end('next')
    attempts.settle()
    assert.deepEqual([attempts.isGivenUp('bad'), endedAtWork(path)], [false, false])
  }
  using attempts = new Attempts(path)
  assert.deepEqual([attempts.isGivenUp('bad'), attempts.of('bad'), attempts.of('next')], [false, 0, 0])
})

test('the notes stay small, whatever was worked on', (t) => {
  const path = join(folder(t), 'attempts.log')
  using attempts = new Attempts(path)
  attempts.begin('under way')
  for (let n = 0; n < 20_000; n++) {
    attempts.begin(String(n))
    attempts.end(String(n))
  }
  assert.ok(statSync(path).size < 300_000)
  using later = new Attempts(path)
  assert.equal(later.of('under way'), 1)
  assert.ok(readFileSync(path, 'utf8').length < 100)
})

const good = { format: 1, kind: 'sent', at: 1, reason: 'why', bytes: 0 }
// oxfmt-ignore
const forged: unknown[] = [
  null, 1, 'text', [], {}, { ...good, reason: 1 }, { ...good, reason: undefined }, { ...good, at: 'soon' }, { ...good, at: 1e300 },
  { ...good, bytes: '9' }, { ...good, url: {} }, { ...good, origin: 1 }, { ...good, from: [] }, { ...good, trace: 1 }, { ...good, page: 'x' },
  { ...good, kind: 'constructor' }, { ...good, item: 1 }, { ...good, item: null }, { ...good, item: { number: 'x' } },
  { ...good, kind: 'push', item: { number: 1, at: 1, door: 'constructor', scheme: {}, proof: 1, type: 7 } },
]
for (const head of forged) {
  test(`a letter in a collection of a stranger's whose head is ${JSON.stringify(head)} is none`, (t) => {
    const dir = folder(t)
    new DeadLetters(dir, 'crawl').keep(letter(1))
    writeFileSync(join(dir, 'dead-letters', 'crawl-000000000002.retry'), `${JSON.stringify(head)}\nbody`)
    assert.deepEqual(
      deadLetters(dir).map(({ name }) => name),
      ['crawl-1'],
    )
    assert.equal(readLetter(dir, 'crawl-2'), undefined)
    assert.equal(letterSummary(dir).groups.length, 1)
    assert.deepEqual(new DeadLetters(dir, 'crawl').retries(), [])
  })
}

const errors: [sentence: string, error: unknown, isStorage: boolean][] = [
  ['a full disk', Object.assign(new Error('no space'), { code: 'ENOSPC' }), true],
  ['a full disk, as the collection says it', diskFull('/x'), true],
  [
    'an error whose cause is one',
    new Error('commit failed', { cause: Object.assign(new Error(''), { code: 'EIO' }) }),
    true,
  ],
  ['a broken table', new Error('MDB_CORRUPTED: Located page was wrong type'), true],
  ['a fault of ours', new TypeError('x is not a function'), false],
  ['an argument that Node refuses', Object.assign(new TypeError('bad'), { code: 'ERR_INVALID_ARG_TYPE' }), false],
  ['too deep a nesting', new RangeError('Maximum call stack size exceeded'), false],
  ['what is no error at all', 'x', false],
]
for (const [sentence, error, isStorage] of errors) {
  test(`${sentence} is ${isStorage ? 'a' : 'no'} fault of the storage`, () =>
    assert.equal(isStorageFault(error), isStorage))
}
