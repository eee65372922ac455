/** Fact list: what is known, name by name. Facts that are not there take no room. */
import { html } from './html.ts'
import type { Filling, Html } from './html.ts'

export type Fact = readonly [name: string, value: Filling]

export function factList(facts: readonly Fact[]): Html {
  return pairs(
    'about',
    facts.filter(([, value]) => value !== undefined && value !== false && value !== ''),
  )
}

/** A few numbers that matter most, large. */
export function bigNumbers(numbers: readonly (readonly [name: string, value: string])[]): Html {
  return pairs('big', numbers)
}

function pairs(kind: string, facts: readonly Fact[]): Html {
  return html`<dl class="${kind}">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`
}
