/**
 * Seen capture: what `onCapture` is told: a Capture, and the means to read it, so that a hook needs nothing else, wherever
 * its file stands. Each is worked out when it is asked for, once, and kept no longer than the capture; whoever asks for nothing pays nothing.
 */
import { decodeBody, decodeText, headerOf, mediaKindOf, readHtml } from '@comity/protocol'
import type { Capture, HtmlPage, MediaKind } from '@comity/protocol'

export interface SeenCapture extends Capture {
  /** The first value of a header field, by any spelling of its name. */
  readonly header: (name: string) => string | undefined
  /** The body as characters: content codings undone, the charset found as browsers find it. Undefined for what is no text. */
  readonly text: () => string | undefined
  /** The page as it was read: title, words, headings, links as they are written. Undefined for what is no HTML. */
  readonly page: () => HtmlPage | undefined
}

/** No body may unpack to more than this; a crawl's own limit is the same by default. */
const MAX_DECODED_BYTES = 20 << 20

const TEXTS: ReadonlySet<MediaKind> = new Set(['page', 'text', 'data', 'feed', 'style', 'script'])

export function seenCapture(capture: Capture): SeenCapture {
  const header = (name: string): string | undefined => headerOf(capture.headers, name)
  const kind = (): MediaKind => mediaKindOf(header('content-type'), capture.url)
  const text = once(() => (TEXTS.has(kind()) ? textOf(capture, header) : undefined))
  const page = once(() => {
    const html = kind() === 'page' ? text() : undefined
    return html === undefined ? undefined : readHtml(html)
  })
  return { ...capture, header, text, page }
}

function textOf({ body }: Capture, header: SeenCapture['header']): string | undefined {
  const decoded = decodeBody(body, header('content-encoding'), { maxBytes: MAX_DECODED_BYTES })
  if (decoded.kind === 'too-large' || decoded.kind === 'unknown-coding') return undefined
  return decodeText(decoded.body, header('content-type')).text
}

function once<Value>(work: () => Value): () => Value {
  let done: { readonly value: Value } | undefined
  return () => (done ??= { value: work() }).value
}
