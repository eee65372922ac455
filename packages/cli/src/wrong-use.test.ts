import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { comityHere, temporaryFolder } from './testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('new')
const own = ['http://127.0.0.1:9/', '--into', dir, '--allow-private']
mkdirSync(folder.at('files'))
writeFileSync(folder.at('empty.ts'), 'export const unrelated = 1')
writeFileSync(folder.at('slip.ts'), 'export const scope = () => true; export const oncapture = () => {}')
writeFileSync(folder.at('other.ts'), 'export const requestHandler = () => {}')
writeFileSync(folder.at('inside.ts'), 'export default { onCapture() {} }')
writeFileSync(folder.at('late.ts'), 'export const scope = 3')
writeFileSync(folder.at('bad.json'), '{ "maxPages": "many" }')

// oxfmt-ignore
const cases: [words: string[], code: number, message: RegExp][] = [
  [['gateway', '--pcap', 'x.pcap', '--behind', '127.0.0.1'], 2, /--behind is for what stands in front of --proxy ORIGIN/],
  [['publish', folder.at('files'), '--base', 'https://example.org/', '--into', folder.at('out'), '--behind', '::1'], 2, /--behind goes with --serve or --proxy/],
  [['serve', dir, '--behind', 'localhost'],                  2, /--behind "localhost" is no address: write 127\.0\.0\.1 or ::1/],
  [['crwal'],                                                2, /There is no command "crwal"\. Did you mean crawl\?/],
  [['frobnicate'],                                           2, /There is no command "frobnicate"\. The commands are/],
  [['help', 'inspekt'],                                      2, /Did you mean inspect\?/],
  [['crawl', 'https://example.org/'],                        2, /Say where the pages go: --into DIR/],
  [['crawl', '--into', dir],                                 2, /Nothing to start from: name a page/],
  [['crawl', 'https://example.org/', '--into', dir],         2, /The user agent "comity\/0\.1" names nobody/],
  [['crawl', 'ftp://example.org/', '--into', dir],           2, /"ftp:\/\/example\.org\/" is not a URL to start from/],
  [['crawl', ...own, '--max-page', '3'],                     2, /no flag --max-page\. Did you mean --max-pages\?/],
  [['crawl', ...own, '--depth', '3'],                        2, /no flag --depth\. Did you mean --max-depth\?/],
  [['crawl', ...own, '--limit', '3'],                        2, /no flag --limit\. Did you mean --max-pages\?/],
  [['crawl', ...own, '-l', '3'],                             2, /no flag -l\. Did you mean --max-depth\?/],
  [['crawl', ...own, '--concurrency', '3'],                  2, /Did you mean --parallel\?/],
  [['crawl', ...own, '--maxRequestsPerCrawl=3'],             2, /Did you mean --max-pages\?/],
  [['crawl', ...own, '--quiet', '--verbose'],                2, /Say --quiet or --verbose/],
  [['crawl', ...own, '--order', 'bogus'],                    2, /The orders are depth, .*, pagerank/],
  [['crawl', 'http://127.0.0.1:9/', '--allow-private', '--into', '/proc/none'],          1, /\/proc\/none cannot be made: the folder before it/],
  [['crawl', 'http://127.0.0.1:9/', '--allow-private', '--into', folder.at('empty.ts')], 1, /empty\.ts is there already, as something else/],
  [['import', folder.at('none.warc'), '--into', dir],        1, /none\.warc is not there/],
  [['import', folder.at('files'), '--into', dir],            2, /files is a folder: name/],
  [['gateway', '--pcap', folder.at('files')],                2, /files is a folder: name/],
  [['crawl', ...own, '--delay', 'fast'],                     2, /--delay "fast" is not a duration/],
  [['crawl', ...own, '--order', 'lenght'],                   2, /--order "lenght" is no order: .* Did you mean length\?/],
  [['crawl', ...own, '--order', '2*pagerank +'],             2, /is no order: it ends too early\. An order is one of depth/],
  [['crawl', ...own, '--order', 'optimal'],                  2, /works in `comity lab` alone/],
  [['crawl', ...own, '--order', 'topic'],                    2, /The order topic needs a topic: --topic "words"/],
  [['crawl', ...own, '--order', folder.at('none.ts')],       2, /none\.ts cannot be loaded/],
  [['crawl', ...own, '--location', 'ending .edu'],           2, /--location "ending \.edu" cannot be used: .* does not end with a number/],
  [['crawl', ...own, '--scope', 'world'],                    2, /--scope "world" is none of host, domain, prefix, any\./],
  [['crawl', ...own, '--types', 'page,pictures'],            2, /--types "page,pictures" is no list of/],
  [['crawl', ...own, '--include', '/(/'],                    2, /--include "\/\(\/" is no pattern: The pattern/],
  [['crawl', ...own, '--seeds', folder.at('none.txt')],      2, /none\.txt is not there\. .* \(ENOENT\)/],
  [['crawl', ...own, '--seeds', folder.at('files')],         2, /files is a folder, where a file is meant\. \(EISDIR\)/],
  [['crawl', ...own, '--ca', folder.at('files')],            2, /files is a folder, where a file is meant\. \(EISDIR\)/],
  [['crawl', ...own, '--config', folder.at('none.json')],    2, /The config file .*none\.json is not there\./],
  [['crawl', ...own, '--config', folder.at('bad.json')],     2, /"maxPages" in .*bad\.json is not a whole number/],
  [['crawl', ...own, '--hook', folder.at('none.ts')],        2, /The hook .*none\.ts cannot be loaded/],
  [['crawl', ...own, '--hook', folder.at('empty.ts')],       2, /exports none of onCapture, scope, order, but "unrelated"\./],
  [['crawl', ...own, '--hook', folder.at('slip.ts')],        2, /exports "oncapture", which is none of onCapture, scope, order\. Did you mean onCapture\?/],
  [['crawl', ...own, '--hook', folder.at('other.ts')],       2, /exports none of .*What others call "requestHandler" is onCapture here\./],
  [['crawl', ...own, '--hook', folder.at('inside.ts')],      2, /has onCapture in its default export: write "export const onCapture = …" instead\./],
  [['crawl', ...own, '--hook', folder.at('late.ts')],        2, /exports scope, which is not a function/],
  [['crawl', 'http://127.0.0.1:9/', '--into', '/'],               1, /holds no collection\.json/],
  [['inspect'],                                              2, /DIR is missing: the folder of a collection; or say --cluster URL/],
  [['inspect', dir],                                         1, /There is no collection at/],
  [['inspect', folder.at('empty.ts')],                       1, /empty\.ts is a file, and no collection/],
  [['export', dir, '--csv', folder.at('files')],             2, /files is a folder: name a file in it/],
  [['export', dir, '--wacz', folder.at('no/such.wacz')],     2, /The folder .*no is not there: make it/],
  [['export', dir, '--jsonl', folder.at('bad.json/x')],      2, /bad\.json is no folder/],
  [['inspect', dir, 'url', 'more'],                          2, /"more" is one word too many/],
  [['export', dir],                                          2, /Say what to write and where: --jsonl FILE/],
  [['export', dir, '--jsonl', '-', '--json'],                2, /Only one thing can go to standard output/],
  [['export', dir, '--csv', '-', '--text'],                  2, /--text goes with --jsonl/],
  [['export', dir, '--jsonl', '-'],                          1, /There is no collection at/],
  [['demo', '--fast'],                                       2, /There is no flag --fast/],
]

test('wrong use is told what would work, on stderr, without a stack', { concurrency: 2 }, async (t) => {
  await Promise.all(
    cases.map(([words, code, message]) =>
      t.test(words.join(' '), async () => {
        const ended = await comityHere(words)
        assert.equal(ended.stdout, '')
        assert.match(ended.stderr, message)
        assert.doesNotMatch(ended.stderr, /\n {4}at /)
        assert.equal(ended.code, code)
      }),
    ),
  )
})
