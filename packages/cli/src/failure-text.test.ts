import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CollectionError } from '@comity/collection'
import { CrawlError } from '@comity/crawler'
import { failureText, isWrongUse } from './failure-text.ts'
import { plain } from './terminal/terminal.ts'
import { NotThere, UsageError } from './usage-error.ts'

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })

// oxfmt-ignore
const cases: [sentence: string, error: unknown, isWrongUse: boolean, text: RegExp][] = [
  ['wrong use points to the help',            new UsageError('No.'),                            true,  /^comity crawl: No\.\nRun `comity crawl --help`/],
  ['a coded error is its message alone',      new CollectionError('DISK_FULL', 'Make room.'),   false, /^comity crawl: Make room\.$/],
  ['a missing contact is wrong use',          new CrawlError('CONTACT_MISSING', 'Who?'),        true,  /^comity crawl: Who\?$/],
  ['a page that is not there is a failure',   new NotThere('Gone.'),                            false, /^comity crawl: Gone\.$/],
  ['an error of the system says what to do',  full,                                             false, /^comity crawl: There is no room left for .* Free some, .* \(ENOSPC\)$/],
  ['our own bug shows where, and asks',       new TypeError('x is not a function'),             false, /this should not have happened\.\nTypeError: x is not a function\n +at [^]*Please report it/],
  ['a misuse of Node is our bug, too',        Object.assign(new TypeError('bad'), { code: 'ERR_INVALID_ARG_TYPE' }), false, /Please report it/],
  ['whatever else is thrown is shown',        'odd',                                            false, /\nodd\n/],
]
for (const [sentence, error, wrongUse, text] of cases) {
  test(sentence, () => {
    assert.match(failureText(error, plain, 'crawl'), text)
    assert.equal(isWrongUse(error), wrongUse)
  })
}
