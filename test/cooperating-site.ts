/** A site of a few pages that tells crawlers what changed, by every scheme there is, over real sockets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MemoryJournal, MemoryVersions, createSiteFront, nodeMiddleware, noteChange, publicRules } from '@comity/site'
import type { Scheme } from '@comity/site'

export interface CooperatingSite extends AsyncDisposable {
  readonly origin: string
  /** Method and path of every request, and how it was answered. */
  readonly asked: { readonly method: string; readonly path: string; status: number }[]
  /** A page is another one now, or is gone. The journal knows when it resolves. */
  set(path: string, html: string | undefined): Promise<void>
}

export async function createCooperatingSite(
  pages: Readonly<Record<string, string>>,
  options: { readonly address?: string; readonly schemes?: readonly Scheme[]; readonly robots?: string } = {},
): Promise<CooperatingSite> {
  const held = new Map<string, string>()
  const journal = new MemoryJournal({ versions: new MemoryVersions() })
  const asked: CooperatingSite['asked'] = []
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, options.address ?? '127.0.51.1', resolve))
  const { address, port } = server.address() as AddressInfo
  const origin = `http://${address}:${port}`
  const robots = options.robots ?? ''
  const front = createSiteFront({
    journal,
    base: `${origin}/`,
    now: Date.now,
    robots,
    ...(options.schemes === undefined ? {} : { schemes: options.schemes }),
  })
  const middleware = nodeMiddleware(front)
  server.on('request', (request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const one = { method, path, status: 0 }
    asked.push(one)
    response.on('finish', () => (one.status = response.statusCode))
    middleware(request, response, () => {
      const html = held.get(path)
      response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(html ?? '<p>nothing here')
    })
  })
  const set = async (path: string, html: string | undefined): Promise<void> => {
    if (html === undefined) held.delete(path)
    else held.set(path, html)
    const page =
      html === undefined ? { path, gone: true as const } : { path, body: Buffer.from(html), type: 'text/html' }
    await noteChange(journal, page, { rules: publicRules({ robots }) }, Date.now())
  }
  for (const [path, html] of Object.entries(pages)) await set(path, html)
  return {
    origin,
    asked,
    set,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
