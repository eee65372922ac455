/** Error page: what went wrong, what follows, and where one can go instead. */
import { html } from './html.ts'
import { renderShell } from './page-shell.ts'
import type { Extent } from './page-shell.ts'
import type { ProblemModel } from '@comity/receiver'

export function renderErrorPage(problem: ProblemModel, extent: Extent = 'collection'): string {
  const elsewhere =
    extent === 'cluster' ? html`<a href="/cluster">the cluster</a>` : html`<a href="/sites">the sites</a>`
  return renderShell({
    title: problem.title,
    extent,
    main: html`<p class="eyebrow">${problem.status}</p>
      <h1>${problem.title}</h1>
      <p class="lead">${problem.detail}</p>
      <p><a href="/">Search</a> or look through ${elsewhere}.</p>`,
  })
}
