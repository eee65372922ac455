/** Fact list: what is known, name by name. Facts that are not there take no room. */
import { html } from './html.ts'
import type { Filling, Html } from './html.ts'

export type Fact = readonly [name: string, value: Filling]

export function factList(facts: readonly Fact[]): Html {
  const known = facts.filter(([, value]) => value !== undefined && value !== false && value !== '')
  return html`<dl class="about">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`
}

/** A few numbers that matter most, large. */
export function bigNumbers(numbers: readonly (readonly [name: string, value: string])[]): Html {
  return html`<dl class="big">
    ${numbers.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`
}
