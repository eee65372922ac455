/** A server for a collection or a cluster, opened and listening: what `serve` and `demo` share. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { RepositoryServer, ServerOptions, Truth, WholePort } from '@comity/repository'
import type { HintsRead } from '@comity/search'
import { UsageError } from '../usage-error.ts'

interface ListenCall extends Pick<ServerOptions, 'accessLog' | 'onError'> {
  readonly port: number
  readonly host: string
  readonly hostName?: readonly string[] | undefined
  /** Certificate and private key, as PEM. */
  readonly tls?: ServerOptions['tls']
  /** Addresses of proxies in front of it. */
  readonly behind?: readonly string[] | undefined
}

interface ServerCall extends ListenCall {
  readonly dir: string
  /** Made and kept in the collection when not given. */
  readonly token?: string | undefined
  readonly cache?: number | undefined
  /** Synonyms and pinned pages. */
  readonly hints?: HintsRead | undefined
  /** Of a demonstration, which knows how fresh the copies really are. */
  readonly truth?: Truth | undefined
  readonly roles?: ServerOptions['roles']
  /** File that says which programs gateways are to run. */
  readonly programs?: string | undefined
}

export interface CollectionServer extends AsyncDisposable {
  readonly url: string
  /** Where the token stands; for people who may read it. */
  readonly tokenFile: string
}

export async function openServer(call: ServerCall): Promise<CollectionServer> {
  // Here and not above: no other command needs it, and each would pay for loading it.
  const parts = await import('@comity/repository')
  const { dir, truth, roles, programs } = call
  const search: Parameters<typeof parts.openRepository>[1]['search'] = (followed) =>
    parts.collectionSearchPort(followed, { cacheBytes: call.cache, hints: call.hints })
  const opened = parts.openRepository(dir, { search, now: Date.now, truth, programs })
  const token = call.token === undefined ? parts.serveToken(dir) : parts.checkedToken(call.token)
  const pages = parts.createPages()
  const server = new parts.RepositoryServer({ ...settingsOf(call), repository: opened.repository, pages, token, roles })
  try {
    const url = await listening(server, call)
    return {
      url,
      tokenFile: call.token === undefined ? join(dir, parts.TOKEN_FILE) : '--token',
      [Symbol.asyncDispose]: async () => {
        await server.stop()
        await opened[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

/** A server for all shards of a cluster. Nothing can be changed there, so no token is any good. */
export async function openWholeServer(
  whole: WholePort,
  call: ListenCall,
): Promise<AsyncDisposable & { readonly url: string }> {
  const parts = await import('@comity/repository')
  const token = randomBytes(32).toString('hex')
  const server = new parts.RepositoryServer({ ...settingsOf(call), whole, pages: parts.createPages('cluster'), token })
  return { url: await listening(server, call), [Symbol.asyncDispose]: () => server.stop() }
}

/** A server for several collections, which are searched as one. Nothing can be changed there. */
export async function openSeveralServer(
  dirs: readonly string[],
  call: ListenCall & { readonly cache?: number | undefined },
): Promise<AsyncDisposable & { readonly url: string }> {
  const parts = await import('@comity/repository')
  const several = parts.openCollections(dirs, { now: Date.now, cacheBytes: call.cache })
  const token = randomBytes(32).toString('hex')
  const pages = parts.createPages('collections')
  const server = new parts.RepositoryServer({ ...settingsOf(call), several, pages, token })
  const close = async (): Promise<void> => {
    await server.stop()
    await several[Symbol.asyncDispose]()
  }
  try {
    return { url: await listening(server, call), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

const settingsOf = ({ hostName: hostNames, behind: proxies, tls, accessLog, onError }: ListenCall) =>
  ({ now: Date.now, hostNames, proxies, tls, accessLog, onError }) satisfies Partial<ServerOptions>

/** Where it is to be found. */
async function listening(server: RepositoryServer, { host, port, tls }: ListenCall): Promise<string> {
  try {
    const address = await server.listen({ port, host })
    const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return `${tls === undefined ? 'http' : 'https'}://${shown}:${address.port}/`
  } catch (error) {
    throw listenFailed(error as NodeJS.ErrnoException, host, port)
  }
}

function listenFailed(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(`Port ${port} of ${host} is taken. Choose another: --port 0 takes any that is free.`)
  if (error.code === 'EACCES') return new UsageError(`Port ${port} may not be listened on: below 1024 only root may.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new UsageError(`${host} is no address of this machine.`)
  return error
}
