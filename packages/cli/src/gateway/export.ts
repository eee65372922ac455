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
import type { HeaderList } from '@comity/protocol'

const MAX_BYTES = 256 << 20

export class GatewayExport implements ObservedExchangeSink, Disposable {
  readonly #next: ObservedExchangeSink
  readonly #folder: ExportFolder

  constructor(folder: string, next: ObservedExchangeSink) {
    this.#folder = new ExportFolder(folder)
    this.#next = next
  }

  get written(): Written {
    return this.#folder.written
  }

  observed(observed: ObservedExchange): void {
    this.#next.observed(observed)
    const { verdict, response, body, url = '' } = observed
    if (verdict !== 'whole' || response === undefined || body.length === 0) return
    const decoded = decodeBody(body, codingOf(response), { maxBytes: MAX_BYTES })
    this.#folder.add(decoded.kind === 'ok' ? decoded.body : body, { ...response, url })
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

export interface Written {
  readonly files: number
  readonly bytes: number
}

interface Entry {
  readonly status: number
  readonly headers: HeaderList
  readonly url: string
}

/** The files, and their list. `titles`: what the list says of each beside the rest. */
export class ExportFolder implements Disposable {
  readonly #path: string
  readonly #list: number
  #files = 0
  #bytes = 0

  constructor(path: string, titles: readonly string[] = []) {
    makePrivateFolder(path)
    this.#path = path
    this.#list = openSync(join(path, 'index.tsv'), 'w', 0o600)
    this.#line(['file', 'status', 'type', 'bytes', 'url', ...titles])
  }

  get written(): Written {
    return { files: this.#files, bytes: this.#bytes }
  }

  /** A body of nothing is listed, without a file. */
  add(body: Uint8Array, { status, headers, url }: Entry, ...more: readonly string[]): void {
    let file = ''
    if (body.length > 0) {
      file = `${String(++this.#files).padStart(6, '0')}-${nameOf(url)}`
      writeFileSync(join(this.#path, file), body, { mode: 0o600 })
      this.#bytes += body.length
    }
    this.#line([file, status, headerOf(headers, 'content-type'), body.length, url, ...more])
  }

  #line(cells: readonly (string | number | undefined)[]): void {
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
