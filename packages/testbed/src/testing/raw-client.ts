/** Raw client: asks as a crawler would and keeps whatever comes, for tests that look at bytes. */
import { connect } from 'node:net'

export interface RawAnswer {
  /** Latin-1, at most `maxBytes` of it. */
  readonly text: string
  /** How it came to an end: the server's FIN, its RST or a refusal, our patience, or our cap. */
  readonly end: 'closed' | 'error' | 'timeout' | 'enough'
}

interface RawAsk {
  readonly address: string
  readonly port: number
  /** Undefined: connect and say nothing. */
  readonly path?: string
  readonly maxBytes?: number
  readonly timeoutMs?: number
}

export function askRaw({ address, port, path, maxBytes = 300_000, timeoutMs = 250 }: RawAsk): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let length = 0
    const socket = connect(port, address)
    const finish = (end: RawAnswer['end']): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text: Buffer.concat(pieces).toString('latin1').slice(0, maxBytes), end })
    }
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    socket.on('error', () => finish('error'))
    socket.on('end', () => finish('closed'))
    socket.on('data', (piece) => {
      pieces.push(piece)
      length += piece.length
      if (length >= maxBytes) finish('enough')
    })
    if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: ${address}:${port}\r\nUser-Agent: raw\r\n\r\n`)
  })
}
