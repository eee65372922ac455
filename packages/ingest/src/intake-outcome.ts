/** IntakeOutcome: what came of one page or notice that a site sent, by name and in words. */

export type IntakeOutcome =
  | 'applied'
  | 'heard'
  | 'same'
  | 'older'
  | 'visited'
  | 'hint'
  | 'announced'
  | 'outside'
  | 'foreign'
  | 'forgotten'
  | 'unoffered'
  | 'unreadable'
  | 'too-much-work'
  | 'fault'

/** In the order in which they are told. */
export const INTAKE_OUTCOMES: readonly (readonly [name: IntakeOutcome, words: string])[] = [
  ['applied', 'a page, taken as it was sent'],
  ['heard', 'a notice: the page is worth a visit sooner'],
  ['same', 'it was held already'],
  ['older', 'late, or out of order: made before our last visit'],
  ['visited', 'visited instead: nobody could tell which was newer, or what a difference was from is not held'],
  ['hint', 'the site is not believed at present: a hint, like any signal'],
  ['announced', 'the news that a dump is there: the site is asked what changed'],
  ['outside', 'a page that we may not or need not hold'],
  ['foreign', 'a page of another site'],
  ['forgotten', 'of a page or a site that was forgotten'],
  [
    'unoffered',
    'said by an agent that is none of ours, or that we have taken back; or by a gateway, where none is heard',
  ],
  ['too-much-work', 'it takes more work to read than it can be worth: the site is asked what changed'],
  ['unreadable', 'it could not be read: the site is asked what changed'],
  ['fault', 'a fault of ours: it is kept aside as a dead letter, and the site is asked what changed'],
]
