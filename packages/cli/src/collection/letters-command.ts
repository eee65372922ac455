/** `comity letters`: what we failed on and kept aside: look at it, have it tried again, drop it. */
import { deadLetters, dropLetters, LETTER_KINDS, letterSummary, readLetter, retryLetters } from '@comity/collection'
import type { DeadLetter } from '@comity/collection'
import { openView } from './collection-view.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { counted, formatBytes } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface LettersSettings {
  readonly retry: readonly string[]
  readonly drop: readonly string[]
  readonly json: boolean
}

/** Shown of a list. */
const MOST_SHOWN = 50
/** Stands for every letter there is. */
const ALL = 'all'

const names = (text: string): readonly string[] => text.split(',').map((name) => name.trim())

export const lettersCommand: Command<LettersSettings> = {
  name: 'letters',
  summary: 'look at what we failed on and kept aside, try it again, drop it',
  operands: [
    { name: 'DIR', help: 'the collection' },
    { name: 'NAME', help: 'the letter to show, such as crawl-3', optional: true },
  ],
  flags: {
    retry: {
      argument: 'NAME',
      default: [],
      parse: names,
      many: true,
      help: 'try these again when the collection is written next, or `all`',
    },
    drop: { argument: 'NAME', default: [], parse: names, many: true, help: 'delete these, or `all`' },
    json: off('print JSON'),
  },
  examples: [
    ['comity letters example', 'what was kept aside, and why'],
    ['comity letters example crawl-3', 'one of them: where it came from, and what went wrong'],
    ['comity letters example --retry all', 'after a new version of comity, say'],
  ],
  notes: [
    'A dead letter is something that we failed on by a fault of our own: a page, what a site sent, a record of an archive. ' +
      'It is kept aside so that everything else goes on, the newest 1,000 of them. The first line of its file in ' +
      'DIR/dead-letters is JSON that tells of it, the rest are the bytes as they came. Please report the reason.',
    'To try one again means: what a site sent is taken in once more, a page is visited or indexed once more, by the next crawl, ' +
      'watch or index command. A record of an archive is taken in by importing the archive again.',
  ],
  run: runLetters,
}

async function runLetters({ settings, operands: [dir = '', name], terminal }: Call<LettersSettings>): Promise<number> {
  const wishes = [name !== undefined, settings.retry.length > 0, settings.drop.length > 0].filter(Boolean).length
  if (wishes > 1) throw new UsageError('Say one thing at a time: a NAME to show, --retry NAME, or --drop NAME.')
  {
    // Only in a collection there are letters; a name that was mistyped is said as everywhere.
    await using _ = openView(dir)
  }
  if (name !== undefined) {
    const letter = readLetter(dir, name)
    if (letter === undefined) throw new UsageError(`There is no letter ${name}: \`comity letters ${dir}\` lists them.`)
    const { body: _, ...about } = letter
    terminal.print(settings.json ? JSON.stringify(about) : story(letter, dir).join('\n'))
    return 0
  }
  const hopeless = deadLetters(dir).filter((one) => isMeant(settings.retry, one) && !canRetry(one))
  const retried = act(dir, settings.retry, (letters) =>
    retryLetters(dir, (one) => isMeant(letters, one) && canRetry(one)),
  )
  const dropped = act(dir, settings.drop, (letters) => dropLetters(dir, (one) => isMeant(letters, one)))
  const letters = deadLetters(dir)
  const summary = letterSummary(dir)
  if (settings.json) terminal.print(JSON.stringify({ ...summary, retry: retried, dropped, letters }))
  else {
    if (retried !== undefined)
      terminal.print(`${counted(retried, 'letter')} to be tried again by the next crawl, watch or index command`)
    for (const letter of hopeless) terminal.say(`${letter.name} cannot be tried again: ${whyNot(letter)}`)
    if (dropped !== undefined) terminal.print(`${counted(dropped, 'letter')} dropped`)
    terminal.print(list(letters, terminal.paint).join('\n'))
  }
  return 0
}

function act(dir: string, wanted: readonly string[], work: (names: readonly string[]) => number): number | undefined {
  if (wanted.length === 0) return undefined
  const known = new Set(deadLetters(dir).map(({ name }) => name))
  const unknown = wanted.find((name) => name !== ALL && !known.has(name))
  if (unknown !== undefined)
    throw new UsageError(`There is no letter ${unknown}: \`comity letters ${dir}\` lists them.`)
  return work(wanted)
}

const isMeant = (wanted: readonly string[], { name }: DeadLetter): boolean =>
  wanted.includes(ALL) || wanted.includes(name)

/** An item of which a part is missing would be another one, and a record stands in its archive. */
const canRetry = ({ item, isCut, url, writer }: DeadLetter): boolean =>
  writer !== 'import' && (item === undefined ? url !== undefined : !isCut)

function whyNot({ writer, isCut }: DeadLetter): string {
  if (writer === 'import') return 'import its archive again, which takes in what is missing'
  return isCut ? 'only its beginning is kept' : 'it is about no page, and was not sent by a site'
}

function list(letters: readonly DeadLetter[], paint: Paint): string[] {
  if (letters.length === 0) return ['Nothing was kept aside.']
  const shown = letters.toSorted((a, b) => b.at - a.at).slice(0, MOST_SHOWN)
  const rest = letters.length > shown.length ? `, the newest ${shown.length} of them` : ''
  return [
    `${counted(letters.length, 'dead letter')}${rest}:`,
    ...shown.flatMap((letter) => [
      `${paint('bold', letter.name.padEnd(12))} ${moment(letter.at)}  ${LETTER_KINDS[letter.kind]}${letter.isRetried ? ', to be tried again' : ''}`,
      `             ${visible(letter.url ?? letter.from ?? letter.origin ?? '')}`,
      `             ${paint('dim', visible(letter.reason))}`,
    ]),
  ]
}

function story(letter: DeadLetter, dir: string): string[] {
  const { name, kind, at, url, origin, from, reason, trace, bytes, isCut, writer, number, isRetried } = letter
  const file = `${dir}/dead-letters/${writer}-${String(number).padStart(12, '0')}.${isRetried ? 'retry' : 'letter'}`
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['what', LETTER_KINDS[kind]],
    ['when', moment(at)],
    ['page', url],
    ['of', origin],
    ['from', from],
    ['bytes', `${formatBytes(bytes)}${isCut ? ', of which the beginning is kept' : ''}: tail -n +2 ${file}`],
    ['why', reason],
    ['where', trace],
  ]
  return [
    name,
    ...facts.flatMap(([fact, value]) => (value === undefined ? [] : [`  ${fact.padEnd(6)} ${shown(value)}`])),
  ]
}

/** Lines of a trace stay lines. */
const shown = (value: string): string => value.split('\n').map(visible).join('\n         ')

const moment = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
