/** `comity agent`: programs of a search engine that run at a site, from their making to their audit. */
import { tableOf } from '@comity/protocol'
import { auditWord } from './audit-word.ts'
import { buildWord, signWord } from './build.ts'
import { agentFlags } from './flags.ts'
import type { AgentSettings } from './flags.ts'
import { installWord, listWord, removeWord, revokeWord, rollbackWord } from './keeping.ts'
import { runWord } from './run.ts'
import type { Call, Command } from '../command.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { UsageError } from '../usage-error.ts'

/** A call whose first operand, the word, is taken off. */
export type AgentCall = Call<AgentSettings>

interface Word {
  readonly does: string
  run(call: AgentCall): Promise<number>
}

// oxfmt-ignore
const WORDS: ReadonlyMap<string, Word> = tableOf({
  build:    { does: 'build SRC.js: check a program and make a bundle of it',                                     run: buildWord },
  sign:     { does: 'sign BUNDLE --key KEYS: say that it is yours',                                              run: signWord },
  install:  { does: 'install BUNDLE [--trust KEYS]: let it in, when somebody you trust has signed it',           run: installWord },
  run:      { does: 'run DOCROOT --base URL: run what is installed over the public pages of a site',             run: runWord },
  audit:    { does: 'audit BUNDLE RESULT… --collection DIR: run it over fetched pages, and compare',             run: auditWord },
  list:     { does: 'list [BUNDLE]: what is installed and how it did; or what a bundle says of itself',          run: listWord },
  rollback: { does: 'rollback NAME [--to VERSION]: go back to a version',                                        run: rollbackWord },
  remove:   { does: 'remove NAME|KEY: an agent with all its versions, or a key that is not trusted any more',            run: removeWord },
  revoke:   { does: 'revoke DIGEST|KEY… --key KEYS --out LIST: take back bundles or keys; revoke LIST: heed that', run: revokeWord },
})

export const agentCommand: Command<AgentSettings> = {
  name: 'agent',
  summary: "run a search engine's program at a site, in a sandbox: build, sign, install, run, audit",
  operands: [
    { name: 'WORD', help: [...WORDS.keys()].join(', ') },
    { name: 'FILE', help: 'what it is done to: see the list below', optional: true, many: true },
  ],
  flags: agentFlags,
  tables: [{ title: 'Words', rows: Array.from(WORDS, ([name, { does }]) => [name, does.slice(name.length + 1)]) }],
  examples: [
    [
      'comity agent build examples/agents/visible-text-change.js --engine https://engine.example/keys',
      'for engines: make a bundle',
    ],
    ['comity agent sign visible-text-change.agent --key engine-keys.json', 'and sign it'],
    [
      'comity agent run /var/www/html --base https://example.org/ --bundle visible-text-change.agent',
      'try it: what would it say of a site?',
    ],
    ['comity agent list visible-text-change.agent', 'for owners: what does it want?'],
    ['comity agent install visible-text-change.agent --trust engine-public.json', 'let it in'],
    ['comity agent run /var/www/html --base https://example.org/', 'run all that are installed; once an hour by cron'],
    [
      'comity agent audit visible-text-change.agent visible-text-change-1.ndjson --collection crawl',
      'for engines: is it true?',
    ],
  ],
  notes: [
    'An agent sees public pages alone: what robots.txt disallows, what says noindex, hidden files and backups are not there for ' +
      'it. It has no network, no clock, no chance and no files, and runs in a process of its own that is killed when it goes ' +
      'beyond its caps. docs/agent.md tells more.',
  ],
  run: runAgentWord,
}

async function runAgentWord(call: Call<AgentSettings>): Promise<number> {
  const [name = '', ...operands] = call.operands
  const word = WORDS.get(name)
  if (word === undefined) {
    const names = [...WORDS.keys()]
    throw new UsageError(
      `"${name}" is nothing to do with agents: it is one of ${names.join(', ')}.${didYouMean(name, names)}`,
    )
  }
  return await word.run({ ...call, operands })
}
