/** A package of a resource dump, made by hand for tests. */
import { hash } from 'node:crypto'
import { SYNC_MANIFEST, ZipWriter, writeSyncDocument } from '@comity/protocol'

export interface PackedFile {
  readonly path: string
  readonly body: Uint8Array
  readonly digest?: string
}

export function packageOf(origin: string, entries: readonly PackedFile[], manifest?: string): Uint8Array {
  const zip = new ZipWriter(new Date(0))
  const facts = entries.map(({ path, body, digest = `sha-256:${hash('sha256', body)}` }, n) => ({
    url: `${origin}${path}`,
    type: 'text/html',
    bytes: body.length,
    digest,
    path: `/r/${n}`,
  }))
  const text = manifest ?? writeSyncDocument({ capability: 'resourcedump-manifest', at: 0 }, facts)
  const files: [string, Uint8Array][] = entries.map(({ body }, n) => [`r/${n}`, body])
  const pieces: Uint8Array[] = []
  for (const [name, body] of [...files, [SYNC_MANIFEST, Buffer.from(text)] as const]) {
    pieces.push(zip.begin(name))
    zip.add(body)
    pieces.push(body, zip.end())
  }
  return Buffer.concat([...pieces, zip.finish()])
}
