/** Sample server, for the tests of this package: the sample repository on a free port of loopback, and a way to ask. */
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { ServerLimits } from '../limits.ts'
import type { PagesPort } from '../ports.ts'
import { samplePages, sampleRepository } from './sample-repository.ts'
import type { SampleRepository } from './sample-repository.ts'
import { RepositoryServer } from '../http/server.ts'

export const TOKEN = 'a-token-of-enough-letters'

interface SampleServer extends SampleRepository {
  readonly server: RepositoryServer
  readonly port: number
  readonly errors: unknown[]
  readonly log: string[]
  readonly ask: (path: string, options?: AskOptions) => Promise<Reply>
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON. */
  readonly value: unknown
}

export async function sampleServer(
  t: TestContext,
  limits: Partial<ServerLimits> = {},
  pages: PagesPort = samplePages,
  proxies: readonly string[] = [],
): Promise<SampleServer> {
  const sample = await sampleRepository(t)
  const [errors, log]: [unknown[], string[]] = [[], []]
  const server = new RepositoryServer({
    repository: sample.repository,
    pages,
    token: TOKEN,
    now: () => sample.clock.now,
    hostNames: ['search.example'],
    limits,
    proxies,
    accessLog: (line) => log.push(line),
    onError: (error) => errors.push(error),
  })
  const { port } = await server.listen()
  t.after(() => server.stop())
  return { ...sample, server, port, errors, log, ask: (path, options) => ask(port, path, options) }
}

export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: AskOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        const isJson = /json/.test(response.headers['content-type'] ?? '')
        const value: unknown =
          isJson && text !== '' && response.headers['content-encoding'] === undefined ? JSON.parse(text) : undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, value })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Bytes as they are, and all that comes back until the other side closes. */
export function askRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}
