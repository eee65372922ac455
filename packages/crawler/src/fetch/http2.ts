/**
 * Http2: HTTP/2 on a connection that was agreed on in its TLS handshake, by undici: its streams, windows and header tables are
 * nothing of ours. One exchange at a time, as on HTTP/1.1, but one that is given up leaves the connection to the next.
 */
import type { TLSSocket } from 'node:tls'
import type { Client as UndiciClient, Dispatcher } from 'undici'
import type { HeaderList } from '@comity/protocol'
import { outcomeOfError } from '@comity/ingest'
import type { ConnectionLimits } from './connection.ts'
import type { ExchangeReader } from './exchange-reader.ts'
import { Client } from './http-client.ts'
import type { HttpLine, SentRequest } from './http1.ts'

export class Http2 implements HttpLine {
  readonly #origin: string
  readonly #client: UndiciClient

  constructor(origin: string, socket: TLSSocket, limits: ConnectionLimits, onOver: () => void) {
    this.#origin = origin
    let given: TLSSocket | undefined = socket
    this.#client = new Client(origin, {
      headersTimeout: limits.headersTimeoutMs,
      bodyTimeout: limits.bodyTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      pipelining: 1,
      // The visit closes the connection itself; until then it may rest between two requests.
      keepAliveTimeout: 10_000,
      connect: (_, callback) => {
        // A second connection is another lease's business.
        if (given === undefined) return callback(connectionOver(), null)
        callback(null, given)
        given = undefined
      },
    })
    this.#client.on('disconnect', onOver)
  }

  ask({ method, target, headers, body }: SentRequest, reader: ExchangeReader): void {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici sends any method; its types know fewer.
      const options = {
        origin: this.#origin,
        path: target,
        method,
        headers,
        body: body ?? null,
      } as Dispatcher.DispatchOptions
      this.#client.dispatch(options, handlerOf(reader))
    } catch (error) {
      // undici refuses some requests before sending them, such as a path with a control character.
      reader.onFailure(outcomeOfError(error as Error), (error as Error).message)
    }
  }

  close(): Promise<void> {
    return this.#client.destroy()
  }
}

const connectionOver = (): Error => Object.assign(new Error('the connection is over'), { code: 'ECONNRESET' })

function handlerOf(reader: ExchangeReader): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) =>
      reader.onRequestStart({
        abort: () => controller.abort(new Error('the answer was not read to its end')),
        pause: () => controller.pause(),
        resume: () => controller.resume(),
      }),
    onResponseStart: (controller, status, _, statusText) => {
      if (status < 200) reader.onInterim()
      else reader.onHead(status, statusText ?? '', headerList(controller.rawHeaders))
    },
    onResponseData: (_, chunk) => reader.onBody(chunk),
    onResponseEnd: () => reader.onEnd(),
    onResponseError: (_, error) => reader.onFailure(outcomeOfError(error), error.message),
  }
}

/** Headers as they were written: an object, without what begins with a colon (RFC 9113 §8.3); a flat list where undici made one. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    return Object.entries(raw)
      .filter(([name]) => !name.startsWith(':'))
      .flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as const))
  }
  const list: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([latin1(raw[i]), latin1(raw[i + 1])])
  return list
}

const latin1 = (text: Buffer | string | undefined): string =>
  typeof text === 'object' ? text.toString('latin1') : (text ?? '')
