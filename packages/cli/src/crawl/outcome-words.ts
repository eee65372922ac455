/** Outcomes in words, by names that come from storage and may be a newer version's. */
import { OUTCOMES } from '@comity/ingest'
import { tableOf } from '@comity/protocol'

type Meaning = (typeof OUTCOMES)[keyof typeof OUTCOMES]

const byName = tableOf<Meaning>(OUTCOMES)

export const outcomeSentence = (outcome: string): string => byName.get(outcome)?.sentence ?? ''

/** How bad it is: fetched or settled, to be tried again or gone, failed. */
export function outcomeColour(outcome: string): 'green' | 'yellow' | 'red' {
  if (outcome === 'client-error') return 'yellow'
  const disposition = byName.get(outcome)?.disposition
  return disposition === 'done' ? 'green' : disposition === 'retry' ? 'yellow' : 'red'
}
