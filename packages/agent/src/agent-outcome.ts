/**
 * Outcomes: every way a run of an agent can end. All but `done` leave nothing behind: neither records nor what the agent
 * wanted to remember, so that nobody is sent half of what it had to say.
 *
 * A fault is held against the version that ran (`store/roll-out.ts`); what the owner or the day's limits ended is not.
 */

export type AgentOutcome =
  | 'done'
  | 'too-slow'
  | 'hung'
  | 'too-large'
  | 'too-deep'
  | 'reads-too-much'
  | 'emits-too-much'
  | 'bad-record'
  | 'not-allowed'
  | 'threw'
  | 'bad-program'
  | 'crashed'
  | 'killed'
  | 'stopped'
  | 'day-spent'

export interface OutcomeMeaning {
  readonly isFault: boolean
  readonly sentence: string
}

// oxfmt-ignore
export const AGENT_OUTCOMES: Readonly<Record<AgentOutcome, OutcomeMeaning>> = {
  done:             { isFault: false, sentence: 'it ran to its end' },
  'too-slow':       { isFault: true,  sentence: 'it used up its processor time: a loop without end, or a regular expression that backtracks' },
  hung:             { isFault: true,  sentence: 'it did not end in time and did not heed the clock, so its process was killed' },
  'too-large':      { isFault: true,  sentence: 'it wanted more memory than it may have' },
  'too-deep':       { isFault: true,  sentence: 'its calls went deeper than its stack' },
  'reads-too-much': { isFault: true,  sentence: 'it read more pages or bytes than it may' },
  'emits-too-much': { isFault: true,  sentence: 'it emitted or remembered more than it may' },
  'bad-record':     { isFault: true,  sentence: 'it emitted something that is no record of a page of this site, or of a kind it did not declare' },
  'not-allowed':    { isFault: true,  sentence: 'it asked for something that it did not declare, or that there is not' },
  threw:            { isFault: true,  sentence: 'it threw an error' },
  'bad-program':    { isFault: true,  sentence: 'it cannot be run: wrong syntax, an import, no function to call, or a promise' },
  crashed:          { isFault: true,  sentence: 'the sandbox broke under it; its process is gone' },
  killed:           { isFault: false, sentence: 'somebody else ended its process, or the system did for want of memory' },
  stopped:          { isFault: false, sentence: 'the owner stopped it' },
  'day-spent':      { isFault: false, sentence: 'it has used up what it may use in a day, and was not run' },
}

/** Outcomes that code inside the sandbox's process finds; whatever else it says is not believed. */
export const INNER_OUTCOMES: ReadonlySet<AgentOutcome> = new Set<AgentOutcome>([
  'done',
  'too-slow',
  'too-large',
  'too-deep',
  'not-allowed',
  'threw',
  'bad-program',
  'crashed',
])

export const isFault = (outcome: AgentOutcome): boolean => AGENT_OUTCOMES[outcome].isFault
