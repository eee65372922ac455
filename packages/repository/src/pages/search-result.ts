/** Search result: one page found, with the words marked where they stand. */
import type { Snippet } from '@comity/index'
import type { ShownResult } from '../model/page-models.ts'
import { ownPath } from '../html/address.ts'
import { counted } from '../client/figures.js'
import { cut, foreign, languageAttributes, languageName, outward, readableUrl, titleOf } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { day } from '../html/moment.ts'

/** Where a snippet ends even if the index sends more. */
const MAX_SNIPPET = 500

export function resultItem(result: ShownResult, unfoldedPath: string): Html {
  const language = languageAttributes(result.language)
  const facts = [
    result.pinned === true && 'pinned',
    origin(result),
    day(result.at),
    result.type !== '' && foreign(result.type, 40),
    languageName(result.language),
    result.folded > 0 && html`<a href="${unfoldedPath}">${counted(result.folded, 'near duplicate')} folded</a>`,
  ].filter((fact) => fact !== false && fact !== undefined)
  return html`<li class="result">
    <p class="crumbs">${breadcrumb(result.url)}</p>
    <h3>${outward(result.url, html`<bdi${language}>${cut(titleOf(result), 160)}</bdi>`)}</h3>
    ${result.snippet.text !== '' && html`<p class="snippet"><bdi${language}>${markedSnippet(result.snippet)}</bdi></p>`}
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
  </li> `
}

/** The page's story; of several collections or a cluster, which serve no stories, the one or the shard that has it. */
const origin = (result: ShownResult): Html => {
  if (result.collection !== undefined) return html`in ${foreign(result.collection, 60)}`
  return result.shard === undefined
    ? html`<a href="${ownPath('/page', { key: result.key })}"
        >Story<span class="unseen"> of ${foreign(titleOf(result), 80)}</span></a
      >`
    : html`shard ${result.shard}`
}

/** `docs.example › tutorial › arrays.html` */
export function breadcrumb(url: string): Html {
  const parts = cut(readableUrl(url), 200)
    .split('/')
    .filter((part) => part !== '')
  // A long way is told by its ends.
  const shown = parts.length > 6 ? [...parts.slice(0, 3), '…', ...parts.slice(-2)] : parts
  return html`${shown.map((part, i) => [i > 0 && html`<span class="step" aria-hidden="true"> › </span>`, foreign(cut(part, 60))])}`
}

/** The text with its marks as `<mark>`. Marks that are out of order or out of the text are passed over. */
export function markedSnippet({ text, marks }: Snippet): Html {
  const shown = cut(text, MAX_SNIPPET)
  const pieces: (Html | string)[] = []
  let at = 0
  for (const [start, end] of marks) {
    if (!(start >= at && end > start && end <= shown.length)) continue
    pieces.push(shown.slice(at, start), html`<mark>${shown.slice(start, end)}</mark>`)
    at = end
  }
  pieces.push(shown.slice(at))
  return html`${pieces}`
}
