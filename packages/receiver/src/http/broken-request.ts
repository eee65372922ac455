/** Broken requests: what Node's parser refuses never becomes a request; it still gets an answer that says why. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from './problem.ts'
import { DATA_POLICY, securityHeaders } from './security-headers.ts'

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The client has gone, or there was an answer before: another might get into the middle of it.
  if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesWritten > 0) {
    socket.destroy()
    return
  }
  const { status, model } = problemOf(error.code)
  const body = `${JSON.stringify(model)}\n`
  const headers = {
    ...securityHeaders(DATA_POLICY),
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${model.title}\r\n${head.join('')}\r\n${body}`)
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers-too-large', 'Send fewer or shorter headers.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request-timeout', 'The request did not come whole in time.')
  return new Problem('bad-request', 'This is not an HTTP/1.1 request.')
}
