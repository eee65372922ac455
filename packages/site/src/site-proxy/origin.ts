/** What a site's proxy asks the origin for by itself: robots.txt, and pages that nobody has just asked for. */
import { WireHead } from '@comity/protocol'
import type { AnswerLine, Answerer, Asker } from '../proxy/asker.ts'
import { clientPlace } from '../proxy/proxy-context.ts'
import { PATH } from '../journal/observation.ts'

interface OriginAnswer {
  readonly status: number
  readonly body: Buffer
}

const MAX_READ_BYTES = 16 << 20

/** Rejects when there is no answer, or not all of it within `timeoutMs`. */
export async function readOrigin(origin: Answerer, path: string, timeoutMs: number): Promise<OriginAnswer> {
  if (!PATH.test(path)) throw new Error(`${path} is no path`)
  const { promise, resolve, reject } = Promise.withResolvers<OriginAnswer>()
  const pieces: Buffer[] = []
  let [bytes, status] = [0, 0]
  let line: AnswerLine | undefined
  const giveUp = (why: string): void => {
    origin.leave(asker)
    line?.abandon()
    reject(new Error(`${path}: ${why}`))
  }
  const asker: Asker = {
    ...OWN,
    request: { ...OWN.request, target: path },
    onLine: (given) => void (line = given),
    onInterim: () => undefined,
    onHead: (response) => void ({ status } = response),
    onBody: (piece) => {
      bytes += piece.length
      if (bytes <= MAX_READ_BYTES) pieces.push(piece)
    },
    onFlush: () => {
      if (bytes > MAX_READ_BYTES) giveUp(`it has more than ${MAX_READ_BYTES} bytes`)
    },
    onEnd: () => resolve({ status, body: Buffer.concat(pieces) }),
    onSwitch: (_response, socket) => {
      socket.destroy()
      reject(new Error(`${path}: the protocol was changed`))
    },
    onFailure: ({ words }) => reject(new Error(`${path}: ${words}`)),
    onDrain: () => undefined,
  }
  const timer = setTimeout(() => giveUp(`nothing came for ${timeoutMs / 1_000} seconds`), timeoutMs)
  origin.take(asker)
  return await promise.finally(() => clearTimeout(timer))
}

/** Asked by this machine, for nobody else. */
const OWN: Pick<Asker, 'request' | 'head' | 'place' | 'version'> = {
  request: {
    method: 'GET',
    target: '/',
    host: '',
    isHttp10: false,
    keepsAlive: true,
    length: 0,
    saysLength: false,
    fields: 'Accept-Encoding: identity\r\n',
    upgrade: undefined,
    wantsTrailers: false,
    expectsContinue: false,
    said: undefined,
  },
  head: new WireHead(''),
  place: clientPlace('127.0.0.1', 'http'),
  version: '1.1',
}
