import { readDocuments } from './index-documents.ts'
import { Analyzer } from '../packages/index/src/analysis.ts'
import { WordScanner } from '../packages/index/src/words.ts'
import { TextUnits } from '../packages/index/src/text-units.ts'
import { languageOf } from '../packages/index/src/language-guess.ts'
const docs = [...readDocuments('/tmp/spd/' + process.argv[2])]
let last = process.cpuUsage()
const lap = (n: string) => { const c = process.cpuUsage(last); console.log(n.padEnd(26), ((c.user + c.system) / 1000).toFixed(0).padStart(6), 'ms'); last = process.cpuUsage() }
const a = new Analyzer(); const sink = { add() {} }
const sc = new WordScanner(), u = new TextUnits()
for (let k = 0; k < 3; k++) {
  for (const d of docs) u.load(d.text)
  lap('load')
  let n = 0, chars = 0
  for (const d of docs) { chars += d.text.length; sc.scan(u.load(d.text)); while (sc.next()) n++ }
  lap('load+scan ' + n + ' ' + chars)
  for (const d of docs) languageOf(d.language, d.text)
  lap('language')
  for (const d of docs) a.analyze(d, sink)
  lap('analyze all ' + a.vocabulary.size)
}
