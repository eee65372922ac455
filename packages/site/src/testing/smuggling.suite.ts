/**
 * Smuggling: what one reader of an HTTP message takes for its end and another does not (RFC 9112 §11.2), in both directions and
 * by both versions. One suite for whatever of ours passes messages on.
 *
 * After each case the judge looks at what the origin heard: only requests that the proxy wrote itself, just those that were
 * asked for, each with its own body; and at other visitors, who must get their own answers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { http2Request, isHttp2Over } from './http2-bytes-fixture.ts'
import { answersIn, isAnswered, judgeOrigin, visitor } from './smuggling-judge-fixture.ts'
import type { JudgeOrigin } from './smuggling-judge-fixture.ts'
import { CHUNKED, HOST, INNER, LENGTH, answered, chunked, get, passed, post, refused } from './smuggling-cases.ts'
import type { Heard } from './smuggling-cases.ts'
import { byHttp2 } from './smuggling-http2-cases.ts'

interface ProxyUnderTest extends AsyncDisposable {
  readonly port: number
}

/** A proxy that goes by the name `a.example`, before this origin. */
type StartProxy = (origin: string) => Promise<ProxyUnderTest>

const TIMEOUT = { timeout: 120_000 }
/** What nobody but an attacker writes. */

export function smugglingSuite(name: string, start: StartProxy): void {
  for (const [what, said, status] of refused())
    test(`${name}: ${what} is refused with ${status}, and nothing of it is a request`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      using attacker = visitor(proxy.port)
      attacker.say(said)
      assert.equal(Number((await attacker.until(isAnswered(1))).slice(9, 12)), status)
      await judge(proxy.port, origin, [])
    })

  for (const [what, said, heard, methods = []] of passed())
    test(`${name}: ${what} is just that`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      using attacker = visitor(proxy.port)
      attacker.say(said)
      await attacker.until(isAnswered(heard.length, methods))
      await judge(proxy.port, origin, heard)
    })

  for (const [what, fields, data, trailers, heard] of byHttp2())
    test(`${name}, HTTP/2: ${what} ${heard.length === 0 ? 'is no request' : 'is just that'}`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      using attacker = visitor(proxy.port)
      attacker.say(http2Request(fields, data, trailers).toString('latin1'))
      await attacker.until(isHttp2Over)
      await judge(proxy.port, origin, heard)
    })

  for (const [what, said, expected, method = 'GET', ends = false] of answered())
    test(
      `${name}: an answer with ${what} ${typeof expected === 'string' ? expected : 'passes as one'}`,
      TIMEOUT,
      async () => {
        await using origin = await judgeOrigin()
        await using proxy = await start(origin.url)
        origin.said.set('/odd', { bytes: said, ends })
        await ask(proxy.port, '/before')
        using reader = visitor(proxy.port)
        const asked = `${method} /odd HTTP/1.1\r\n${HOST}\r\n`
        reader.say(`${asked}GET /mine HTTP/1.1\r\n${HOST}\r\n`)
        const heard = await reader.until((text) => text.includes('<GET /mine>'))
        assert.ok(!heard.includes('poison'), heard)
        const { answers, isWhole } = answersIn(heard, [method])
        if (expected === 'is refused') assert.equal(answers[0]?.status, 502)
        else if (expected === 'is cut off') assert.ok(!isWhole || answers.length === 0, heard)
        else assert.match(`${answers[0]?.head}${answers[0]?.body}`, expected)
        if (answers.length > 1) assert.equal(answers[1]!.body, '<GET /mine>')
        for (let turn = 0; turn < 3; turn++) await ask(proxy.port, '/other')
      },
    )

  test(`${name}: what is answered before it was sent leaves nothing in a connection`, TIMEOUT, async () => {
    await using origin = await judgeOrigin()
    await using proxy = await start(origin.url)
    origin.answersEarly.add('/early')
    await ask(proxy.port, '/before')
    using attacker = visitor(proxy.port)
    attacker.say(`POST /early HTTP/1.1\r\n${HOST}${LENGTH}\r\n`)
    await attacker.until(isAnswered(1))
    attacker.say(INNER)
    await attacker.until(() => false)
    await judge(proxy.port, origin, [['POST', '/early', '']])
  })

  test(
    `${name}: whatever attacks are put together, the origin hears only what was written for it`,
    TIMEOUT,
    async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      const attack = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 })
      const cuts = fc.array(fc.nat(200), { maxLength: 3 })
      await fc.assert(
        fc.asyncProperty(attack, cuts, async (pieces, where) => {
          const said = pieces.join('')
          using attacker = visitor(proxy.port)
          let at = 0
          for (const cut of where) attacker.say(said.slice(at, (at += cut)))
          attacker.say(said.slice(at))
          attacker.end()
          await attacker.until(() => false)
          await ask(proxy.port, '/victim')
          for (const { head } of origin.heard.splice(0))
            assert.deepEqual(valuesOf(head, 'x-forwarded-for'), ['127.0.0.1'], head)
        }),
        { numRuns: 300 },
      )
    },
  )

  for (const method of ['GET', 'POST', 'DELETE'])
    test(`${name}: ${method} whose client goes in the middle of its body is no request`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      {
        using attacker = visitor(proxy.port)
        attacker.say(`${method} /a HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length + 10}\r\n\r\n`)
        attacker.say(INNER)
        await ask(proxy.port, '/meanwhile')
      }
      await judge(proxy.port, origin, [['GET', '/meanwhile', '']])
    })
}

/** What attacks are made of. */
const PIECES = [
  'GET',
  'POST',
  'HEAD',
  'DELETE',
  'BREW',
  ' ',
  '/a',
  '//evil',
  'http://a.example/b',
  ' HTTP/1.1',
  ' HTTP/1.0',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '\0',
  '\t',
  ':',
  ';',
  ',',
  HOST,
  LENGTH,
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  CHUNKED,
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Connection: content-length, transfer-encoding, host\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'Expect: 100-continue\r\n',
  'X-Forwarded-For: 6.6.6.6\r\n',
  'constructor: 6.6.6.6\r\n',
  '__proto__: x\r\n',
  '5\r\nhello\r\n',
  '0\r\n\r\n',
  '0\r\nX: y\r\n\r\n',
  chunked(INNER),
  INNER,
  get(),
  post(LENGTH, INNER),
  post(CHUNKED, chunked(INNER)),
]

/** A visitor of its own, with an answer of its own. */
async function ask(port: number, path: string): Promise<void> {
  using one = visitor(port)
  one.say(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  const { answers, isWhole } = answersIn(await one.until(() => false), [])
  assert.deepEqual([isWhole, answers.map(({ status, body }) => `${status} ${body}`)], [true, [`200 <GET ${path}>`]])
}

async function judge(port: number, origin: JudgeOrigin, wanted: readonly Heard[]): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await ask(port, '/victim')
  const others = origin.heard.filter(({ target }) => target !== '/victim' && target !== '/before')
  assert.deepEqual(
    others.map(({ method, target, body }) => [method, target, body]),
    wanted,
  )
  for (const { head } of origin.heard) {
    assert.deepEqual(valuesOf(head, 'x-forwarded-for'), ['127.0.0.1'], head)
    assert.deepEqual(valuesOf(head, 'host'), ['a.example'], head)
    assert.doesNotMatch(head, /6\.6\.6\.6|evil/, head)
  }
}

const valuesOf = (head: string, name: string): string[] =>
  [...head.matchAll(/\r\n([^:\r\n]+):[ \t]*([^\r\n]*)/g)]
    .filter(([, one]) => one!.toLowerCase().replaceAll('_', '-') === name)
    .map(([, , value]) => value!)
