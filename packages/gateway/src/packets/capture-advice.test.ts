import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noProgram, noRight } from './capture-advice.ts'

const cases: [sentence: string, advice: string, words: RegExp][] = [
  ['Linux installs it', noProgram('tcpdump', 'linux'), /apt-get install tcpdump.*--pcap -/],
  ['macOS has it already', noProgram('tcpdump', 'darwin'), /\/usr\/sbin.*--pcap -/],
  ['Windows has another program', noProgram('tcpdump', 'win32'), /dumpcap -i 1 -P -w - \| comity gateway --pcap -/],
  ['on Linux a right can be given to it', noRight('tcpdump', 'eth1', 'no', 'linux'), /eth1.*setcap.*\(it said: no\)/],
  ['on macOS it is files that must be readable', noRight('tcpdump', 'en0', 'no', 'darwin'), /en0.*\/dev\/bpf\*/],
]
for (const [sentence, advice, words] of cases) test(`without packets: ${sentence}`, () => assert.match(advice, words))
