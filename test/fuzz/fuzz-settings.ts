/** Fuzz target: what operators write, which may come from a form, an environment or another program. */
import assert from 'node:assert/strict'
import { pathGlob, pushSchedule, SiteError } from '@comity/site'
import { parseAddressDelays } from '../../packages/cli/src/crawl/address-delay.ts'
import { parseAllowPrivate, readAllowPrivate } from '../../packages/cli/src/crawl/allow-private.ts'
import { parseSwitch } from '../../packages/cli/src/command.ts'
import { readLimits, readSites, readUrlRules } from '../../packages/cli/src/crawl/config.ts'
import { parseCommandLine } from '../../packages/cli/src/command-line.ts'
import { readObject } from '../../packages/cli/src/config-file.ts'
import { crawlCommand } from '../../packages/cli/src/crawl/command.ts'
import { readKept, settingsToKeep, withKept } from '../../packages/cli/src/crawl/kept-settings.ts'
import { parseTypes } from '../../packages/cli/src/crawl/media-kinds.ts'
import { parseOrderChoice } from '../../packages/cli/src/crawl/order-choice.ts'
import { parseProxy } from '../../packages/cli/src/terminal/proxy-url.ts'
import { parseListen, parseSite } from '../../packages/cli/src/site/flags.ts'
import { parseBytes, parseDuration, parseRate, parseRequests } from '../../packages/cli/src/terminal/quantity.ts'
import { parseSince, parseStatuses } from '../../packages/cli/src/collection/export-choice.ts'
import { parsePort } from '../../packages/cli/src/collection/serve-command.ts'
import { BadValue, UsageError } from '../../packages/cli/src/usage-error.ts'
import { parseSchemes } from '../../packages/cli/src/watch/endpoints.ts'
import { parseNetwork } from '../../packages/protocol/src/url/network.ts'
import { parseOrigin } from '../../packages/crawler/src/fetch/site-override.ts'
import { parseExpression } from '../../packages/frontier/src/order/expression.ts'
import { parseLocationRules } from '../../packages/frontier/src/order/location-score.ts'
import { parseOrder } from '../../packages/frontier/src/order/orders.ts'
import { parsePolicy } from '../../packages/frontier/src/revisit/policies.ts'
import { jsonIn, unlessRefused } from './fuzz-target.ts'
import type { FuzzTarget } from './fuzz-target.ts'

/** Each gives a number from 0 on, or says what is wrong. */
const AMOUNTS = [parseBytes, parseDuration, parseRate, parseRequests, parsePort, parseSince]
const TEXTS = [
  parseTypes,
  parseOrderChoice,
  parseProxy,
  parseSite,
  parseListen,
  parseSchemes,
  parseAddressDelays,
  parseAllowPrivate,
  parseSwitch,
  parseStatuses,
]
const OBJECTS = [readSites, readLimits, readUrlRules, readAllowPrivate]

function checkSettings(bytes: Buffer): void {
  const text = bytes.toString()
  for (const parse of AMOUNTS) assert.ok((unlessRefused(BadValue, () => parse(text)) ?? 0) >= 0, parse.name)
  for (const parse of TEXTS) unlessRefused(BadValue, () => parse(text))
  const json = jsonIn(text)
  for (const read of OBJECTS) unlessRefused(BadValue, () => read(json))
  unlessRefused(BadValue, () => readObject<{ name: unknown }>(json, { name: (value) => value }))
  unlessRefused(UsageError, () => parseCommandLine(crawlCommand, text.split(' '), {}))
  checkKept(text)
  unlessRefused(SiteError, () => pushSchedule(text))
  const short = text.slice(0, 200)
  unlessRefused(SiteError, () => pathGlob(short))?.('/a/b')
  parseOrigin(text)
  parseNetwork(text)
  parseExpression(text, (name) => name.startsWith('p'))
  parseLocationRules(text)
  parseOrder(text)
  parsePolicy(text)
}

/** A collection may come from anybody: what it says of settings lets a crawl do no more than usual, and can be kept again. */
function checkKept(text: string): void {
  const kept = readKept(text)
  const { settings } = withKept(USUAL, new Map(), kept, 'collection')
  assert.deepEqual([settings.allowPrivate, settings.ignoreRobots, settings.hook, settings.config], UNCHANGED)
  const again = readKept(settingsToKeep(kept, new Map()))
  assert.deepEqual([...again.flags], [...kept.flags])
}

const USUAL = parseCommandLine(crawlCommand, [], {}).settings
const UNCHANGED = [USUAL.allowPrivate, USUAL.ignoreRobots, USUAL.hook, USUAL.config]

export const settingsTarget: FuzzTarget = {
  name: 'settings',
  samples: [
    '500MB',
    '15s',
    '2MB/s',
    '100/min',
    '8080',
    'html,pdf,image/*',
    'pagerank + 0.5 * backlink',
    'http://user:pass@proxy.example:3128/',
    '127.0.0.1:8080',
    'daily at 03:00',
    'changes,pages',
    '/drafts/*.html',
    'http://a.example/ --max-pages 5 --scope host --json',
    '[{"host":"a.example","headers":{"X":"y"},"crawlDelay":"5s"}]',
    '{"maxPages":5}',
    '{"drop":["utm_*"],"keepFragment":true}',
    '["10.0.0.0/8","::1"]',
    '{"flags":{"maxDepth":["3"],"exclude":["*/x/*"],"order":["pagerank"],"allowPrivate":["true"]},"lacks":["hook"]}',
    'path:/news/=2 + depth:3=1',
  ],
  words: [
    '--',
    '=',
    'kb',
    'MiB',
    '/s',
    'ms',
    'k',
    ':',
    '://',
    '[::1]',
    '/8',
    '*',
    '**',
    '?',
    ' + ',
    ' * ',
    '(',
    '"host":',
    '"headers":{',
    '--max-pages=',
    ',',
  ],
  check: checkSettings,
}
