/** Difference page: what came and what went between two captures of a page, with signs and words, not colour alone. */
import { ownPath } from '../html/address.ts'
import { counted } from '../client/figures.js'
import { cut, foreign, readableUrl, titleOf } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { DifferenceModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { renderShell } from '../html/page-shell.ts'

const MAX_LINES = 2_000
const MAX_LINE = 2_000

export function renderDifferencePage(model: DifferenceModel): string {
  const isSame = model.added === 0 && model.removed === 0
  const isCut = model.isCut || model.lines.length > MAX_LINES
  return renderShell({
    title: `Differences of ${titleOf(model)}`,
    isWide: true,
    main: html`<p class="eyebrow"><a href="${ownPath('/page', { key: model.key })}">The page’s story</a></p>
      <h1>What changed in “${foreign(titleOf(model), 160)}”</h1>
      <p class="address">${foreign(readableUrl(model.url))}</p>
      <p>
        From ${moment(model.from)} to ${moment(model.to)}:
        ${isSame ? 'the text is the same.' : html`<b class="plus">+${counted(model.added, 'line')}</b>, <b class="minus">−${counted(model.removed, 'line')}</b>.`}
        ${isCut && 'The rest is left out, as it is too long.'}
      </p>
      <p class="quiet">
        Lines of text are compared, not markup.
        <a href="${ownPath('/page/difference', { key: model.key, from: model.to, to: model.from })}">Turn around</a>
      </p>
      ${
        model.lines.length > 0 &&
        html`<ol class="difference" aria-label="Lines">
          ${model.lines.slice(0, MAX_LINES).map(line)}
        </ol>`
      }`,
  })
}

type Line = DifferenceModel['lines'][number]

function line({ kind, text }: Line): Html {
  const words = cut(text, MAX_LINE)
  if (kind === 'added')
    return html`<li class="added">
      <ins><span class="unseen">added: </span><bdi>${words}</bdi></ins>
    </li> `
  if (kind === 'removed')
    return html`<li class="removed">
      <del><span class="unseen">removed: </span><bdi>${words}</bdi></del>
    </li> `
  if (kind === 'skipped') return html`<li class="skipped"><bdi>${words}</bdi></li> `
  return html`<li><bdi>${words}</bdi></li> `
}
