/** Error page: what went wrong, what follows, and where one can go instead. */
import { html } from './html.ts'
import { renderShell } from './page-shell.ts'
import type { ProblemModel } from '@comity/receiver'

export function renderErrorPage(problem: ProblemModel): string {
  return renderShell({
    title: problem.title,
    main: html`<p class="eyebrow">${problem.status}</p>
      <h1>${problem.title}</h1>
      <p class="lead">${problem.detail}</p>
      <p><a href="/">Search</a> or look through <a href="/sites">the sites</a>.</p>`,
  })
}
