/** Following a site by what it tells: what is new or another one is fetched, and what is not is left alone. */
import type { HeaderList } from '@comity/protocol'
import { SiteCopy } from '../../cooperating/copy.ts'
import type { Line } from '../../cooperating/http.ts'
import type { Teller } from '../../cooperating/told.ts'

/** Polls a teller. The first time all pages are new and nothing is fetched: a first copy is the same work for all. */
export function followed(tell: Teller, headers: HeaderList = []): (line: Line) => Promise<void> {
  const marks = new Map<string, string | undefined>()
  let isFirst = true
  return async (line) => {
    for (const [url, mark] of await tell(line)) {
      const isNews = marks.get(url) !== mark
      marks.set(url, mark)
      if (isNews && !isFirst) await line.ask({ path: url.slice(new URL(url).origin.length), headers })
    }
    isFirst = false
  }
}

/** Holds pages and does not read them: where only bytes are counted, reading is most of the work. */
export class UnreadCopy extends SiteCopy {
  override take(path: string, body: Uint8Array, headers: HeaderList): void {
    const field = (name: string): string | undefined => headers.find(([one]) => one.toLowerCase() === name)?.[1]
    this.pages.set(path, { body, digest: '', etag: field('etag'), dictionary: field('use-as-dictionary') })
  }
}
