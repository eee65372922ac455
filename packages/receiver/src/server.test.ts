import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { receiverLimits } from './limits.ts'
import { ReceiverServer } from './server.ts'
import { askReceiver, sampleReceiver, signedQuestion, warc, AT } from './testing/sample-receiver.ts'

const open = async (t: TestContext, port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const from = (address: string): { headers: [string, string][] } => ({ headers: [['X-Forwarded-For', address]] })

test('one address may hold so many connections, and gets others when it lets go', async (t) => {
  const { port } = await sampleReceiver(t, { limits: { connectionsPerAddress: 3 } })
  const held = [await open(t, port), await open(t, port), await open(t, port)]
  await assert.rejects(askReceiver(port, '/'), /ECONNRESET|hang up/)
  const closed = once(held[0]!, 'close')
  held[0]!.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  held[0]!.resume()
  await closed
  assert.equal((await askReceiver(port, '/')).status, 200)
})

test('a proxy in front of us may hold more', async (t) => {
  const { port } = await sampleReceiver(t, { limits: { connectionsPerAddress: 1 }, proxies: ['127.0.0.1'] })
  await open(t, port)
  await open(t, port)
  assert.equal((await askReceiver(port, '/')).status, 200)
})

test('what a stranger behind a proxy does wrong costs nobody else behind it', async (t) => {
  const settings = { limits: { stranger: { perSecond: 1, burst: 2 } }, proxies: ['127.0.0.1'] }
  const { ask } = await sampleReceiver(t, settings)
  for (let i = 0; i < 4; i++) await ask('/nothing', from('192.0.2.1'))
  assert.equal((await ask('/', from('192.0.2.1'))).status, 429)
  assert.equal((await ask('/', from('192.0.2.2'))).status, 200)
})

test('leave to send a body is given when it is worth sending, and not before', async (t) => {
  const { port } = await sampleReceiver(t)
  const continued = async (question: ReturnType<typeof signedQuestion>): Promise<string> => {
    const socket = await open(t, port)
    const fields = [
      ...(question.headers ?? []),
      ['Expect', '100-continue'],
      ['Content-Length', String(Buffer.from(question.body ?? '').length)],
    ]
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST /push HTTP/1.1\r\nHost: crawler.example\r\nConnection: close\r\n${lines}\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    return first.toString().split('\r\n', 1)[0]!
  }
  assert.equal(await continued(signedQuestion({ body: warc() }, AT, 'a')), 'HTTP/1.1 100 Continue')
  assert.match(
    await continued({ method: 'POST', headers: [['Content-Type', 'application/warc']], body: warc() }),
    / 401 /,
  )
})

test('stopping before it listens, and twice, is harmless', async () => {
  const server = new ReceiverServer(receiverLimits, async () => undefined)
  await server.stop()
  await server.stop()
  assert.equal(server.isStopping, true)
})
