/** `comity publish --proxy` and `comity gateway --proxy` as they run: what was smuggled through before, and what floods them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { answersIn, judgeOrigin, visitor } from '@comity/site/testing'
import { temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { running } from '../running-command.ts'
import type { Running } from '../running-command.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const TIMEOUT = { timeout: 120_000 }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const INNER = 'GET /smuggled HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n'
const chunked = `${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`
const HOST = 'Host: a.example\r\n'

const attacks = [
  ...['GET', 'DELETE', 'HEAD', 'OPTIONS'].flatMap((method) => [
    `${method} /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${chunked}`,
    `${method} /a HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length}\r\nConnection: content-length\r\n\r\n${INNER}`,
  ]),
  `GET /a HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${INNER}`,
  `GET http://evil.example/a HTTP/1.1\r\n${HOST}\r\n`,
  `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`,
  `GET /a HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(5_000)}\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff',
]

async function ask(port: number): Promise<void> {
  using one = visitor(port)
  one.say(`GET /victim HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  const { answers } = answersIn(await one.until(() => false), [])
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['<GET /victim>'],
  )
}

const commands: [name: string, start: (origin: string) => Promise<Running>][] = [
  [
    'publish',
    async (origin) =>
      await running(
        ['publish', '--proxy', origin, '--base', 'http://a.example/', '--serve', String(await freePort())].concat([
          '--journal',
          folder.at('published'),
          '--json',
        ]),
        /"url":"http:\/\/127\.0\.0\.1:(?<port>\d+)\/","ledger":"(?<ledger>[^"]+)"/,
      ),
  ],
  [
    'gateway',
    async (origin) =>
      await running(['gateway', '--proxy', origin, '--listen', '0'], /http:\/\/127\.0\.0\.1:(?<port>\d+) answers for/),
  ],
]
for (const [name, start] of commands)
  test(
    `comity ${name} --proxy: nothing is smuggled, everybody gets the own answer, and it goes on`,
    TIMEOUT,
    async () => {
      await using origin = await judgeOrigin()
      const command = await start(origin.url)
      await ask(command.port)
      for (const attack of attacks) {
        using attacker = visitor(command.port)
        attacker.say(attack)
        await attacker.until((heard) => heard !== '')
        await ask(command.port)
      }
      const wrong = origin.heard.filter(
        ({ head, target }) =>
          target === '/smuggled' || !/\r\nX-Forwarded-For: 127\.0\.0\.1\r\n/.test(head) || /6\.6\.6\.6|evil/.test(head),
      )
      assert.deepEqual(wrong, [])
      assert.equal(origin.heard.filter(({ target }) => target === '/a').length, 8)
      if (command.ledger !== undefined) {
        const { refused } = (await (await fetch(`${command.ledger}proxy.json`)).json()) as {
          refused: Record<string, number>
        }
        assert.deepEqual(
          Object.entries(refused).filter(([, count]) => count > 0),
          [
            ['bad-request', 2],
            ['ambiguous-framing', 1],
            ['head-too-large', 1],
            ['http2-malformed', 1],
          ],
        )
      }
      const { code, stderr } = await command.stop()
      assert.equal(code, 0, stderr)
    },
  )
