/**
 * Docroot server: the files of a document root over HTTP, for a site that has no server of its own yet. A request handler
 * for node:http, to stand behind a site front: pages get their differences there; pictures and large files are sent from
 * here, with validators and in parts (RFC 9110 §13, §14).
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '@comity/disk'
import {
  contentRange,
  evaluateConditions,
  isTextType,
  mayServeRange,
  mimeTypeOf,
  parseRange,
  writeHttpDate,
  textOf,
} from '@comity/protocol'
import type { ByteRange, HeaderList, Instant } from '@comity/protocol'
import { mtimeOf } from '../sources/docroot-file.ts'
import { lookUp } from '../sources/docroot-lookup.ts'
import { sendAnswer, siteRequestOf } from './node-middleware.ts'
import { NO_BODY, sentenceAnswer } from '../site-request.ts'
import type { SiteRequest } from '../site-request.ts'

export function docrootHandler(root: string, now: () => Instant): RequestListener {
  return (incoming, response) => {
    answer(root, incoming, response, now()).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else
        void sendAnswer(
          response,
          sentenceAnswer(500, `This file could not be read (${textOf(codeOf(error) ?? error)}).`),
        )
    })
  }
}

async function answer(root: string, incoming: IncomingMessage, response: ServerResponse, now: Instant): Promise<void> {
  const request = siteRequestOf(incoming)
  const { method, path } = request
  if (method !== 'GET' && method !== 'HEAD')
    return await sendAnswer(response, sentenceAnswer(405, 'Files are read with GET or HEAD.', [['Allow', 'GET, HEAD']]))
  const found = await lookUp(root, path)
  if (found === undefined)
    return await sendAnswer(response, sentenceAnswer(404, `There is no ${path.slice(0, 200)} here.`))
  if (found.kind === 'folder') {
    const query = path.slice(path.split('?', 1)[0]!.length)
    return await sendAnswer(response, sentenceAnswer(301, 'It is a folder.', [['Location', `${found.path}${query}`]]))
  }
  const handle = await open(found.file, 'r')
  try {
    await sendFile(handle, mimeTypeOf(found.octets), request, response, now)
  } finally {
    await handle.close()
  }
}

async function sendFile(
  handle: FileHandle,
  type: string,
  request: SiteRequest,
  response: ServerResponse,
  now: Instant,
): Promise<void> {
  const stats = await handle.stat()
  const [bytes, modifiedAt] = [stats.size, mtimeOf(stats)]
  // Length and time to the millisecond: what a server can know of a file without reading it.
  const validators = { etag: `"${bytes.toString(16)}-${modifiedAt.toString(16)}"`, lastModified: modifiedAt }
  const { method, headers } = request
  const fields: HeaderList = [
    ['ETag', validators.etag],
    ...(modifiedAt <= now ? ([['Last-Modified', writeHttpDate(modifiedAt)]] as const) : []),
    ['Accept-Ranges', 'bytes'],
  ]
  const verdict = evaluateConditions({ method, headers }, validators, now)
  if (verdict === 'not-modified') return await sendAnswer(response, { status: 304, headers: fields, body: NO_BODY })
  if (verdict === 'precondition-failed')
    return await sendAnswer(response, sentenceAnswer(412, 'It is another version.', fields))
  const wanted = headers.find(([name]) => name.toLowerCase() === 'range')?.[1]
  const range = mayServeRange(headers, validators, now) ? parseRange(wanted, bytes) : undefined
  if (range?.kind === 'unsatisfiable')
    return await sendAnswer(
      response,
      sentenceAnswer(416, `It has ${bytes} bytes.`, [['Content-Range', contentRange(undefined, bytes)]]),
    )
  const part = range?.kind === 'parts' && range.ranges.length === 1 ? range.ranges[0] : undefined
  const described: HeaderList = [...fields, ['Content-Type', isTextType(type) ? `${type}; charset=utf-8` : type]]
  await sendPart(handle, response, method, described, bytes, part)
}

async function sendPart(
  handle: FileHandle,
  response: ServerResponse,
  method: string,
  headers: HeaderList,
  bytes: number,
  part: ByteRange | undefined,
): Promise<void> {
  const { start, end } = part ?? { start: 0, end: bytes }
  const fields: HeaderList = [
    ...headers,
    ...(part === undefined ? [] : ([['Content-Range', contentRange(part, bytes)]] as const)),
    ['Content-Length', String(end - start)],
  ]
  for (const [name, value] of fields) response.setHeader(name, value)
  response.writeHead(part === undefined ? 200 : 206)
  if (method === 'HEAD' || end === start) {
    response.end()
    return
  }
  // A file that became shorter meanwhile breaks off, which a reader sees by its length.
  const stream = createReadStream('', { fd: handle, start, end: end - 1, autoClose: false })
  await pipeline(stream, response).catch(() => response.destroy())
}
