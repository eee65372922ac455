/** Plot figure: one number that moves, with the place where freshness.js draws how it moved. */
import { html } from './html.ts'
import type { Html } from './html.ts'

export interface Plot {
  /** What freshness.js draws there. */
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly now: string
  readonly note: string
  readonly legend?: readonly string[]
}

export function plotFigure({ name, title, unit, now, note, legend }: Plot): Html {
  return html`<figure class="plot" data-plot="${name}" data-unit="${unit}">
    <figcaption>
      <h2>${title}</h2>
      <p class="now">${now}</p>
      <p class="quiet note-now">${note}</p>
      ${
        legend !== undefined &&
        html`<ul class="legend">
          ${legend.map((one, i) => html`<li class="s${i}">${one}</li> `)}
        </ul>`
      }
    </figcaption>
  </figure> `
}
