/** A site with a resource dump of anybody's making, ZIP files that no writer would make among them. */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { writeSyncDocument, ZipWriter } from '@comity/protocol'
import type { SyncFacts } from '@comity/protocol'
import { createSmallSite } from '../sites/small-site.ts'
import type { Answer, Asked, SmallSite } from '../sites/small-site.ts'

export interface Dumped {
  readonly path: string
  readonly body: string | Uint8Array
  readonly facts?: Partial<SyncFacts>
  /** How the entry is packed; stored when not given. */
  readonly packed?: { readonly data: Uint8Array; readonly bytes: number }
}

/** `pages` are served; `dumped` is what the dump holds instead. */
export async function createDumpingSite(
  pages: Readonly<Record<string, string>>,
  dumped: (origin: string) => readonly Dumped[],
  more: Readonly<Record<string, (asked: Asked, origin: string) => Answer>> = {},
): Promise<SmallSite> {
  let origin = ''
  const manifest = (): string => manifestOf(origin, dumped(origin))
  const site = await createSmallSite(
    Object.fromEntries([
      ...Object.entries(pages),
      [
        '/robots.txt',
        () => ({ headers: { 'content-type': 'text/plain' }, body: `Metadata: ${origin}/m/archives.txt` }),
      ],
      [
        '/.well-known/resourcesync',
        () =>
          xml(
            writeSyncDocument({ capability: 'description' }, [
              { url: `${origin}/caps.xml`, capability: 'capabilitylist' },
            ]),
          ),
      ],
      [
        '/caps.xml',
        () =>
          xml(
            writeSyncDocument({ capability: 'capabilitylist' }, [
              { url: `${origin}/dump.xml`, capability: 'resourcedump' },
            ]),
          ),
      ],
      [
        '/dump.xml',
        () =>
          xml(
            writeSyncDocument({ capability: 'resourcedump', at: 0 }, [
              {
                url: `${origin}/dump.zip`,
                type: 'application/zip',
                links: [{ rel: 'contents', href: `${origin}/manifest.xml` }],
              },
            ]),
          ),
      ],
      ['/manifest.xml', () => xml(manifest())],
      [
        '/dump.zip',
        (asked: Asked) =>
          more['/dump.zip']?.(asked, origin) ?? { body: zipOf(dumped(origin), manifest()), headers: ZIP },
      ],
    ]),
  )
  origin = site.origin
  return site
}

export const ZIP: Readonly<Record<string, string>> = { 'content-type': 'application/zip', etag: '"1"' }

export function zipOf(dumped: readonly Dumped[], manifest: string): Uint8Array {
  const entries = dumped.map(({ body, packed }, n) => ({ name: `r/${n}`, body: Buffer.from(body), packed }))
  return rawZip([...entries, { name: 'manifest.xml', body: Buffer.from(manifest), packed: undefined }])
}

/** Also ZIP files that no writer would make: sizes as said, data as given. */
export function rawZip(
  entries: readonly { name: string; body: Buffer; packed?: Dumped['packed'] | undefined }[],
): Uint8Array {
  const zip = new ZipWriter(new Date(0))
  const pieces = entries.flatMap(({ name, body, packed }) => {
    const data = packed?.data ?? body
    const sizes = { crc32: crc32(body), bytes: packed?.bytes ?? body.length, packedBytes: data.length }
    return [zip.place({ name, method: packed === undefined ? 'stored' : 'deflate', ...sizes }), data]
  })
  return Buffer.concat([...pieces, zip.finish()])
}

export function manifestOf(origin: string, dumped: readonly Dumped[]): string {
  const facts = dumped.map(({ path, body, facts: said }, n): SyncFacts => {
    const own = { url: `${origin}${path}`, type: 'text/html', path: `/r/${n}`, bytes: Buffer.from(body).length }
    return Object.assign(own, { digest: `sha-256:${hash('sha256', body)}` }, said)
  })
  return writeSyncDocument({ capability: 'resourcedump-manifest', at: 0 }, facts)
}

const xml = (body: string): Answer => ({ headers: { 'content-type': 'application/xml' }, body })
