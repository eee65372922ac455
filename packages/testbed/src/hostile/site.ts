/**
 * Hostile site: everything one case needs, at an address of its own, whatever kind of case it is. A test of a crawler
 * walks the table, makes a site for each case, visits `url`, and compares the outcome.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createAuthority } from '../certificate.ts'
import type { HostileCase } from './case.ts'
import { hostileCases } from './cases.ts'
import { createHostileName } from './hostile-name.ts'
import type { HostileName } from './hostile-name.ts'
import { createHostileServer, listenHostile } from './server.ts'
import type { HostileOptions, HostileServer } from './server.ts'
import { addressAfter } from '../living/web.ts'
import { finePage } from '../raw-response.ts'

export interface HostileSite extends AsyncDisposable {
  readonly url: string
  readonly address: string
  readonly port: number
  /** Set for cases about names: look names up with this. */
  readonly name?: HostileName
  /** Set for cases about certificates: the authority to trust, in PEM. */
  readonly authority?: string
  /** What arrived; not set where nobody listens. */
  readonly log?: HostileServer['log']
}

/** The address is the case's own, counted from 127.0.2.1 in the order of the table, unless told. */
export async function createHostileSite(one: HostileCase, given: HostileOptions = {}): Promise<HostileSite> {
  const options = { address: addressAfter('127.0.2.1', Math.max(0, hostileCases.indexOf(one))), ...given }
  switch (one.place) {
    case 'page': {
      const server = await createHostileServer(options)
      return { ...siteOf(server), url: server.urlOf(one.name) }
    }
    case 'site':
      return siteOf(await listenHostile({ ...options, serve: one.serve }))
    case 'accept':
      return siteOf(await listenHostile({ ...options, serve: one.serve, atAccept: true, scheme: one.scheme ?? 'http' }))
    case 'tls': {
      const now = (options.clock ?? Date.now)()
      const authority = createAuthority(now)
      const certificate = authority.issue(options.address, one.fault, now)
      return { ...siteOf(await listenHostile({ ...options, serve: finePage, certificate })), authority: authority.cert }
    }
    case 'nowhere':
      return one.how === 'refuses' ? refusing(options) : neverAccepting(options.address)
    case 'name':
      break
  }
  const server = await listenHostile({ ...options, serve: finePage })
  const name = createHostileName(one.hostname, one.answers, server.address)
  return { ...siteOf(server), url: `http://${one.hostname}:${server.port}/`, name }
}

function siteOf(server: HostileServer): HostileSite {
  const { address, port, origin, log } = server
  return { url: `${origin}/`, address, port, log, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** A port that was free a moment ago and is closed again. */
async function refusing(options: HostileOptions & { readonly address: string }): Promise<HostileSite> {
  const server = await listenHostile({ ...options, serve: finePage })
  const { address, port, origin } = server
  await server[Symbol.asyncDispose]()
  return { url: `${origin}/`, address, port, [Symbol.asyncDispose]: () => Promise.resolve() }
}

/** The listener's thread sleeps for ever after listen(), so nobody takes connections out of the kernel's queue. */
const sleepingListener = `
  const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer()
  server.listen({ host: workerData.address, port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

async function neverAccepting(address: string): Promise<HostileSite> {
  const worker = new Worker(sleepingListener, { eval: true, workerData: { address } })
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const fillers = await fillQueue(address, port)
  return {
    url: `http://${address}:${port}/`,
    address,
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of fillers) socket.destroy()
      await worker.terminate()
    },
  }
}

/** Connects until a connection does not come about: then the queue is full and Linux drops what else knocks. */
async function fillQueue(address: string, port: number): Promise<Socket[]> {
  const fillers: Socket[] = []
  const most = 16
  for (let isFull = false; !isFull && fillers.length < most;) {
    const socket = connect(port, address)
    socket.on('error', () => undefined)
    fillers.push(socket)
    isFull = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), 100)
      socket.once('connect', () => {
        clearTimeout(timer)
        resolve(false)
      })
    })
  }
  return fillers
}
