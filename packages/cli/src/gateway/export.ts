/**
 * Gateway export: the bodies that were rebuilt, a file each, and a list of them. Content codings are off where they
 * can be undone. Everything that was rebuilt whole is there, private pages too: it is for whoever asked for it, and
 * never sent anywhere.
 *
 *   DIR/000001-index.html …      index.tsv: file, status, media type, bytes, URL
 */
import { openSync, closeSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import { codingOf } from '@comity/gateway'
import type { ObservedExchange, ObservedExchangeSink } from '@comity/gateway'
import { decodeBody, headerOf, tsvCell } from '@comity/protocol'

const MAX_BYTES = 256 << 20

export class GatewayExport implements ObservedExchangeSink, Disposable {
  readonly #folder: string
  readonly #next: ObservedExchangeSink
  readonly #list: number
  #count = 0
  #bytes = 0

  constructor(folder: string, next: ObservedExchangeSink) {
    makePrivateFolder(folder)
    this.#folder = folder
    this.#next = next
    this.#list = openSync(join(folder, 'index.tsv'), 'w', 0o600)
    writeSync(this.#list, 'file\tstatus\ttype\tbytes\turl\n')
  }

  get written(): { readonly files: number; readonly bytes: number } {
    return { files: this.#count, bytes: this.#bytes }
  }

  observed(observed: ObservedExchange): void {
    this.#next.observed(observed)
    const { verdict, response, body, url = '' } = observed
    if (verdict !== 'whole' || response === undefined || body.length === 0) return
    const decoded = decodeBody(body, codingOf(response), { maxBytes: MAX_BYTES })
    const bytes = decoded.kind === 'ok' ? decoded.body : body
    const file = `${String(++this.#count).padStart(6, '0')}-${nameOf(url)}`
    writeFileSync(join(this.#folder, file), bytes, { mode: 0o600 })
    this.#bytes += bytes.length
    const type = headerOf(response.headers, 'content-type')
    const cells = [file, response.status, type, bytes.length, url]
    writeSync(this.#list, `${cells.map(tsvCell).join('\t')}\n`)
  }

  [Symbol.dispose](): void {
    closeSync(this.#list)
  }
}

/** The last part of a path, of letters that mean nothing to a shell or a file system. */
function nameOf(url: string): string {
  const last = (URL.parse(url)?.pathname ?? '').split('/').at(-1) ?? ''
  const safe = last.replaceAll(/[^\w.-]+/g, '_').slice(-60)
  return /^\.*$/.test(safe) ? 'index' : safe
}
