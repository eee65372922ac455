import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import type { IncomingHttpHeaders } from 'node:http2'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { BATCH_PATH, BATCH_TYPE } from '@comity/protocol'
import { HOST, sampleHtml } from '../testing/adapter-sample.ts'
import { answersIn, isAnswered, visitor } from '../testing/smuggling-judge-fixture.ts'
import { ProxySample } from '../testing/site-proxy-fixture.ts'

const LINE = `{"url":"http://${HOST}/bread"}\n`
const TIMEOUT = { timeout: 60_000 }
const batch = (framing: string, body: string): string =>
  `POST ${BATCH_PATH} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: ${BATCH_TYPE}\r\n${framing}\r\n${body}`
const length = (bytes: number): string => `Content-Length: ${bytes}\r\n`
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const GET = `GET /bread HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`

async function sample(options?: Parameters<ProxySample['start']>[0]): Promise<ProxySample> {
  const made = await new ProxySample().start(options)
  await made.proxy.ready()
  made.page('/bread', sampleHtml('Bread', 1))
  await made.ask('/bread')
  return made
}

const bodies: [what: string, asked: string][] = [
  ['with its length', batch(length(LINE.length), LINE)],
  ['in chunks', batch('Transfer-Encoding: chunked\r\n', `${chunk(LINE.slice(0, 5))}${chunk(LINE.slice(5))}0\r\n\r\n`)],
]
for (const [what, asked] of bodies)
  test(`a question ${what} is answered here, and the connection goes on`, TIMEOUT, async () => {
    await using site = await sample()
    const before = site.asked.length
    using one = visitor(site.port)
    one.say(asked + GET)
    const { answers } = answersIn(await one.until(isAnswered(2)), [])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert.match(answers[0]!.body, /Bread has a paragraph 0/)
    assert.doesNotMatch(answers[0]!.head, /^Via:/m)
    assert.deepEqual(
      site.asked.slice(before).map(({ url }) => url),
      ['/bread'],
    )
  })

test('who waits with its body is told to go on', TIMEOUT, async () => {
  await using site = await sample()
  using one = visitor(site.port)
  one.say(batch(`Expect: 100-continue\r\n${length(LINE.length)}`, ''))
  assert.equal(await one.until((heard) => heard.endsWith('\r\n\r\n')), 'HTTP/1.1 100 Continue\r\n\r\n')
  one.say(LINE)
  assert.equal(answersIn(await one.until(isAnswered(1)), []).answers[0]?.status, 200)
})

const tooMuch: [what: string, asked: string][] = [
  ['said so', batch(length(5 << 20), 'x'.repeat(1_000))],
  ['is seen', batch('Transfer-Encoding: chunked\r\n', chunk('x'.repeat(9_000)))],
]
for (const [what, asked] of tooMuch)
  test(`a question that is too long is refused as soon as it ${what}, and the connection ends`, TIMEOUT, async () => {
    await using site = await sample({ limits: { requestBytes: 8_000 } })
    using one = visitor(site.port)
    one.say(asked)
    const { answers } = answersIn(await one.until(isAnswered(1)), [])
    assert.equal(answers[0]?.status, 413)
    assert.match(answers[0].head, /^Connection: close$/m)
  })

test('a body that nobody wants is not taken for the next request', TIMEOUT, async () => {
  await using site = await sample()
  const before = site.asked.length
  using one = visitor(site.port)
  one.say(`POST /sitemap.xml HTTP/1.1\r\nHost: ${HOST}\r\n${length(GET.length)}\r\n${GET}${GET}`)
  const { answers } = answersIn(await one.until(isAnswered(2)), [])
  assert.ok(answers.length === 2 && answers[1]!.body.includes('Bread'))
  assert.equal(site.asked.length, before + 1)
})

test('HEAD for a document of the site has its length and no body', TIMEOUT, async () => {
  await using site = await sample()
  using one = visitor(site.port)
  one.say(`HEAD /sitemap.xml HTTP/1.1\r\nHost: ${HOST}\r\n\r\n${GET}`)
  const { answers, isWhole } = answersIn(await one.until(isAnswered(2, ['HEAD'])), ['HEAD'])
  assert.ok(isWhole)
  assert.match(answers[0]!.head, /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Content-Length: [1-9]/)
})

test('HTTP/2 is answered by the same documents and pages', TIMEOUT, async () => {
  await using site = await sample()
  const session = connectHttp2(`http://127.0.0.1:${site.port}`)
  const ask = async (path: string): Promise<[IncomingHttpHeaders, string]> => {
    const stream = session.request({ ':path': path })
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
    let text = ''
    for await (const bytes of stream) text += String(bytes)
    return [headers, text]
  }
  assert.match((await ask('/sitemap.xml'))[1], /a\.example\/bread/)
  const [headers, text] = await ask('/bread')
  assert.match(text, /Bread has a paragraph/)
  assert.match(String(headers.etag), /^"/)
  session.destroy()
})

test('a stream of changes goes on until its reader goes, and its place is free then', TIMEOUT, async () => {
  await using site = await sample({ limits: { eventStreams: 1 } })
  const events = `GET /push/events HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`
  {
    using reader = visitor(site.port)
    reader.say(events)
    await reader.until((heard) => heard.includes('event: start'))
    site.page('/cake', sampleHtml('Cake', 1))
    await site.ask('/cake')
    site.proxy.front.site.wake()
    assert.match(await reader.until((heard) => heard.includes('event: change')), /\/cake/)
    assert.equal((await site.ask('/push/events')).status, 503)
  }
  // It is noticed with the next sign of life that would have been sent.
  site.now += 20_000
  await untilSo(async () => {
    using next = visitor(site.port)
    next.say(events)
    return (await next.until((heard) => heard.includes('\r\n\r\n'))).startsWith('HTTP/1.1 200')
  })
  site.proxy.front.site[Symbol.dispose]()
})
