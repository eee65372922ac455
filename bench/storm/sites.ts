/**
 * Storm sites: the sites of the storm, each made from its number: its name, its keys, and what it serves to prove that it
 * speaks for itself. They are virtual hosts of one server on loopback.
 */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEY_DIRECTORY_PATH, newKeyRing, publishedKeys, writeKeySet } from '@comity/protocol'
import type { KeyRing } from '@comity/protocol'
import type { FetchedFrom, FetchFrom } from '@comity/receiver'

export const originOf = (site: number): string => `https://site-${site}.example`
export const indexNowKeyOf = (site: number): string => `indexnow-key-${site}`
export const topicOf = (site: number): string => `${originOf(site)}/metadata/changelist.xml`
/** Keys are a day old. */
export const ringOf = (site: number, now: number): KeyRing => {
  const seed = Buffer.alloc(32)
  seed.writeUInt32LE(site)
  return newKeyRing(seed, now - 86_400_000)
}

/** Serves what proves each of them; returns how to ask. */
export async function serveProofs(): Promise<
  { readonly fetchFrom: FetchFrom; readonly asked: () => number } & Disposable
> {
  let asked = 0
  const server = createServer((incoming, response) => {
    asked++
    const site = Number(/^site-(\d{1,6})\.example$/.exec(incoming.headers.host ?? '')?.[1] ?? Number.NaN)
    if (incoming.url === KEY_DIRECTORY_PATH)
      response.end(writeKeySet(publishedKeys(ringOf(site, Date.now()), Date.now())))
    else if (incoming.url === `/${indexNowKeyOf(site)}.txt`) response.end(indexNowKeyOf(site))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fetchFrom: FetchFrom = (origin, path) =>
    new Promise<FetchedFrom>((resolve) => {
      const headers = { host: new URL(origin).host }
      request({ host: '127.0.0.1', port, path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: [], body: Buffer.concat(chunks) }),
        )
      })
        .on('error', ({ message }) => resolve({ problem: message }))
        .end()
    })
  return { fetchFrom, asked: () => asked, [Symbol.dispose]: () => server.close() }
}
