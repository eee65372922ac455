/** What every command takes, wherever it stands among its words: help, version, and how much is said on stderr. */
import { parseSwitch } from './command.ts'
import type { HelpTable } from './command.ts'
import { UsageError } from './usage-error.ts'
import { ownValue } from '@comity/protocol'

type Wish = 'help' | 'version' | 'quiet' | 'verbose'

// oxfmt-ignore
const WORDS: ReadonlyMap<string, Wish> = new Map([
  ['--help', 'help'], ['-h', 'help'],
  ['--version', 'version'], ['-V', 'version'],
  ['--quiet', 'quiet'], ['-q', 'quiet'],
  ['--verbose', 'verbose'], ['-v', 'verbose'],
])

export const EVERYWHERE: HelpTable = {
  title: 'Everywhere',
  rows: [
    ['-q, --quiet', 'say nothing on stderr but what went wrong'],
    ['-v, --verbose', 'say on stderr what happens, page by page, and what it took'],
    ['-V, --version', 'show the version'],
    ['-h, --help', 'show this'],
  ],
}

interface Everywhere {
  /** The words of the command itself. */
  readonly argv: readonly string[]
  readonly wishes: ReadonlySet<Wish>
}

export function everywhere(words: readonly string[], env: Readonly<Record<string, string | undefined>>): Everywhere {
  const end = words.indexOf('--')
  const flags = end === -1 ? words : words.slice(0, end)
  const said = new Set<Wish>(flags.flatMap((word) => WORDS.get(word) ?? []))
  const wishes = new Set(said)
  // A word on the line counts more than a variable.
  if (!said.has('quiet') && !said.has('verbose'))
    for (const wish of ['quiet', 'verbose'] as const) {
      if (parseSwitch(ownValue(env, `COMITY_${wish.toUpperCase()}`) ?? '')) wishes.add(wish)
    }
  if (wishes.has('quiet') && wishes.has('verbose'))
    throw new UsageError('Say --quiet or --verbose: a command cannot be both.')
  const argv = [...flags.filter((word) => !WORDS.has(word)), ...(end === -1 ? [] : words.slice(end))]
  return { argv, wishes }
}
