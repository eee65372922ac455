import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { parseCommandLine } from '../command-line.ts'
import { gatewayCommand } from './command.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'
import { plain } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const capture = folder.at('empty.pcap')
// A header, and no packet.
writeFileSync(capture, Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex'))

interface Result {
  readonly text: string
  readonly code: number
}

/** As `main.ts` does it, in this process. */
async function run(words: readonly string[]): Promise<Result> {
  const said: string[] = []
  const say = (text: string): void => void said.push(text)
  const terminal: Terminal = {
    env: {},
    paint: plain,
    errorPaint: plain,
    liveColumns: () => undefined,
    print: say,
    say,
    draw: say,
    write: async (text) => say(text),
  }
  try {
    const code = await gatewayCommand.run({ ...parseCommandLine(gatewayCommand, words, {}), terminal })
    return { text: said.join('\n'), code }
  } catch (error) {
    return { text: [...said, (error as Error).message].join('\n'), code: error instanceof UsageError ? 2 : 1 }
  }
}

const state = folder.at('state-wrong')
mkdirSync(state)
const to = ['--to', 'http://127.0.0.1:9', '--state', state]
// oxfmt-ignore
const wrong: [words: string[], code: number, message: RegExp][] = [
  [[],                                                       2, /--pcap FILE, --live IFACE or --proxy ORIGIN/],
  [['capture.pcap'],                                         2, /"capture.pcap" is nothing to do.*--pcap/],
  [['--pcap', capture, '--live', 'lo'],                      2, /One source at a time/],
  [['--pcap', folder.at('none.pcap')],                       1, /no such file/],
  [['--pcap', import.meta.filename],                         1, /no capture|neither pcap/i],
  [['--pcap', capture, '--batch', '1GB'],                    2, /4 MiB at most/],
  [['--pcap', capture, '--to', 'http://127.0.0.1:9'],        2, /--state DIR/],
  [['--pcap', capture, ...to],                               2, /Say whose pages may be indexed: --hosts/],
  [['--pcap', capture, ...to, '--servers', '10.0.0.0/8'],    2, /Say whose pages may be indexed: --hosts/],
  [['--pcap', capture, ...to, '--hosts', 'a.example'],       2, /Say which servers may speak for --hosts: --servers/],
  [['--live', 'lo', ...to, '--hosts', 'a.example'],          2, /Say which servers may speak for --hosts: --servers/],
  [['--proxy', 'http://127.0.0.1:9', ...to],                 2, /Say whose pages may be indexed: --hosts/],
  [['--proxy', 'http://127.0.0.1:9', '--servers', '::1'],    2, /a proxy knows its server/],
  [['fetch', 'http://127.0.0.1:9/', ...to],                  2, /Say whose pages may be indexed: --hosts/],
  [['--pcap', capture, '--credential-header', 'a b'],        2, /is no name of a field/],
  [['--pcap', capture, ...to, '--hosts', 'http://a.example'], 2, /--hosts .* is no list of hosts: write www\.example\.org/],
  [['--pcap', capture, '--servers', '10.0.0.0/33'],          2, /--servers .* is no list of addresses/],
  [['--pcap', capture, '--readers', 'all'],                  2, /outside, inside and both/],
  [['--pcap', capture, '--readers', 'outside'],              2, /--inside 10\.0\.0\.0\/8/],
  [['--pcap', capture, '--query', 'a.example'],              2, /www\.example\.org=page,lang/],
  [['--pcap', capture, '--private-path', 'account'],         2, /begin it with \//],
  [['--pcap', capture, '--to', 'repository'],                2, /https:\/\/repository\.example/],
  [['--pcap', capture, '--keys', 'x'],                       2, /--to URL/],
  [['--pcap', capture, '--filter', 'tcp'],                   2, /--live IFACE/],
  [['--pcap', '-', '--follow'],                              2, /leave out --follow/],
  [['--follow', '--live', 'lo'],                             2, /--follow goes with one --pcap/],
  [['--proxy', 'http://127.0.0.1:9/path'],                   2, /is no origin/],
  [['--proxy', 'http://127.0.0.1:9', '--cert', 'x'],         2, /--cert-key/],
  [['fetch'],                                                2, /Say which pages/],
  [['fetch', 'mailto:me'],                                   2, /is no address of a page/],
  [['key'],                                                  2, /--hosts/],
  [['--pcap', capture, '--agents', 'x'],                     2, /--agents says where the program is/],
  [['--pcap', capture, '--program', 'My rules'],             2, /is no name of a program/],
  [['--pcap', capture, '--as-browser'],                      2, /--export DIR/],
  [['--pcap', capture, '--as-browser', '--export', folder.at('x'), ...to, '--hosts', 'a.example', '--servers', '::1'], 2, /nothing of that may be sent: leave out --to/],
  [['--proxy', 'http://127.0.0.1:9', '--as-browser', '--export', folder.at('x')], 2, /--as-browser reads packets: it goes with --pcap or --live/],
  [['programs'],                                             2, /Name the file/],
  [['programs', folder.at('none.json')],                     1, /does not say which programs .*cannot be read/],
]
test('what cannot be meant is said, with what to write instead', async (t) => {
  for (const [words, code, message] of wrong) {
    await t.test(`gateway ${words.join(' ').replaceAll(folder.at(''), '')}`, async () => {
      const result = await run(words)
      assert.match(result.text, message)
      assert.equal(result.code, code)
    })
  }
})

test('a capture without packets is nothing to complain about', async () => {
  const { text, code } = await run(['--pcap', capture, '--json'])
  assert.equal(code, 0, text)
  assert.equal((JSON.parse(text) as Record<string, unknown>)['packets'], 0)
})
