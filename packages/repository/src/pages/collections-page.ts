/** Collections page: which collections are searched as one, and how to ask one of them alone. */
import { ownPath } from '../html/address.ts'
import { formatCount } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { CollectionModel, SeveralModel } from '../model/models.ts'
import { renderShell } from '../html/page-shell.ts'

export function renderCollectionsPage({ collections }: SeveralModel): string {
  return renderShell({
    title: 'Collections',
    place: 'collections',
    extent: 'collections',
    main: html`<h1>Collections</h1>
      <p class="lead">
        They are searched as one. <code>collection:NAME</code> in a question asks one of them alone, and
        <code>-collection:NAME</code> leaves it out.
      </p>
      <div class="scroll">
        <table>
          <caption class="unseen">
            Collections
          </caption>
          <thead>
            <tr>
              <th scope="col">Collection</th>
              <th scope="col" class="right">Pages that can be searched</th>
            </tr>
          </thead>
          <tbody>
            ${collections.map(rowOf)}
          </tbody>
        </table>
      </div>
      ${collections.flatMap(({ problems }) => problems).map((problem) => html`<p class="note">${foreign(problem)}</p>`)}`,
  })
}

const rowOf = ({ name, documents }: CollectionModel): Html =>
  html`<tr>
    <th scope="row">
      <a href="${ownPath('/search', { q: `collection:${name} ` })}">${foreign(name, 60)}</a>
    </th>
    <td class="right">${formatCount(documents)}</td>
  </tr>`
