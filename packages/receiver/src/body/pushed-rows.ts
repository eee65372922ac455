/**
 * Pushed rows: whether a body is lines of JSON, by how it begins. A WARC, a ZIP and a document of XML all begin otherwise, so a
 * type that somebody changed on its way does not make one of the other: a hub signs the body, and nobody the type.
 */
import { open } from 'node:fs/promises'
import type { ContentBody } from './pushed-content.ts'
import { PushRefusal } from '../admit/push-refusal.ts'

/** Throws a PushRefusal when it is something else. */
export async function checkRows(body: ContentBody): Promise<void> {
  const [first] = body.spool === undefined ? body.bytes : await beginningOf(body.spool.path)
  if (first !== OBJECT) throw new PushRefusal('malformed', 'Lines of JSON begin with an object.')
}

const OBJECT = '{'.charCodeAt(0)

async function beginningOf(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
