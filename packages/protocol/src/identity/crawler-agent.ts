/**
 * Crawler agent: who asks, by the User-Agent field (RFC 9110 §10.1.5). Crawlers that most sites meet stand in a table, with
 * what they gather pages for and where their owner says so; of others the field is searched for what only programs write.
 * Anybody can write anything there, so this is good for counting and for nothing that must be safe.
 */

/** `preview`: for one link that somebody posted. `user`: one page, because a person asked a program about it just now. */
export type CrawlerPurpose =
  | 'search'
  | 'assistant'
  | 'archive'
  | 'marketing'
  | 'preview'
  | 'user'
  | 'feed'
  | 'watch'
  | 'program'

export interface CrawlerAgent {
  readonly name: string
  readonly purpose: CrawlerPurpose
  /** Where its owner describes it, or what it names in the field itself. */
  readonly source: string
}

const GOOGLE = 'https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers'
const OPENAI = 'https://platform.openai.com/docs/bots'
const ANTHROPIC = 'https://support.anthropic.com/en/articles/8896518'
const PERPLEXITY = 'https://docs.perplexity.ai/guides/bots'
const META = 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers'

/**
 * In the order they are looked for, a name anywhere in the field counting: some carry the name of another to be let in, so
 * that one has to stand behind them.
 */
// oxfmt-ignore
const TABLE: readonly (readonly [name: string, purpose: CrawlerPurpose, source: string])[] = [
  ['Google-InspectionTool', 'watch',     GOOGLE],
  ['GoogleOther',           'search',    GOOGLE],
  ['Storebot-Google',       'search',    GOOGLE],
  ['AdsBot-Google',         'marketing', GOOGLE],
  ['Mediapartners-Google',  'marketing', GOOGLE],
  ['FeedFetcher-Google',    'feed',      'http://www.google.com/feedfetcher.html'],
  ['Googlebot',             'search',    'http://www.google.com/bot.html'],
  ['adidxbot',              'marketing', 'http://www.bing.com/bingbot.htm'],
  ['bingbot',               'search',    'http://www.bing.com/bingbot.htm'],
  ['msnbot',                'search',    'http://search.msn.com/msnbot.htm'],
  ['Slurp',                 'search',    'http://help.yahoo.com/help/us/ysearch/slurp'],
  ['YandexBot',             'search',    'http://yandex.com/bots'],
  ['Baiduspider',           'search',    'http://www.baidu.com/search/spider.html'],
  ['DuckDuckBot',           'search',    'http://duckduckgo.com/duckduckbot.html'],
  ['DuckAssistBot',         'assistant', 'http://duckduckgo.com/duckassistbot.html'],
  ['Applebot',              'search',    'http://www.apple.com/go/applebot'],
  ['Amazonbot',             'search',    'https://developer.amazon.com/support/amazonbot'],
  ['Sogou',                 'search',    'http://www.sogou.com/docs/help/webmasters.htm#07'],
  ['SeznamBot',             'search',    'http://napoveda.seznam.cz/en/seznambot-intro/'],
  ['PetalBot',              'search',    'https://webmaster.petalsearch.com/site/petalbot'],
  ['Qwant',                 'search',    'https://www.qwant.com/'],
  ['MojeekBot',             'search',    'https://www.mojeek.com/bot.html'],
  ['Yeti',                  'search',    'http://naver.me/bot'],
  ['coccoc',                'search',    'http://help.coccoc.com/'],
  ['GPTBot',                'assistant', OPENAI],
  ['OAI-SearchBot',         'search',    OPENAI],
  ['ChatGPT-User',          'user',      OPENAI],
  ['Claude-SearchBot',      'search',    ANTHROPIC],
  ['Claude-User',           'user',      ANTHROPIC],
  ['ClaudeBot',             'assistant', ANTHROPIC],
  ['Perplexity-User',       'user',      PERPLEXITY],
  ['PerplexityBot',         'search',    PERPLEXITY],
  ['MistralAI-User',        'user',      'https://docs.mistral.ai/robots'],
  ['meta-externalagent',    'assistant', META],
  ['Bytespider',            'assistant', 'the name in the field'],
  ['Diffbot',               'assistant', 'http://www.diffbot.com'],
  ['CCBot',                 'archive',   'http://www.commoncrawl.org/bot.html'],
  ['archive.org_bot',       'archive',   'http://www.archive.org/details/archive.org_bot'],
  ['ia_archiver',           'archive',   'http://www.alexa.com/site/help/webmasters'],
  ['heritrix',              'archive',   'https://github.com/internetarchive/heritrix3'],
  ['SemrushBot',            'marketing', 'http://www.semrush.com/bot.html'],
  ['AhrefsBot',             'marketing', 'http://ahrefs.com/robot/'],
  ['MJ12bot',               'marketing', 'http://majestic12.co.uk/bot.php'],
  ['DotBot',                'marketing', 'http://www.opensiteexplorer.org/dotbot'],
  ['Ezooms',                'marketing', 'the mail address of its owner in the field'],
  ['rogerbot',              'marketing', 'http://moz.com/help/pro/what-is-rogerbot-'],
  ['DataForSeoBot',         'marketing', 'https://dataforseo.com/dataforseo-bot'],
  ['BLEXBot',               'marketing', 'http://webmeup-crawler.com/'],
  ['Screaming Frog',        'marketing', 'http://www.screamingfrog.co.uk/seo-spider'],
  ['facebookexternalhit',   'preview',   META],
  ['Twitterbot',            'preview',   'https://dev.twitter.com/cards/getting-started'],
  ['LinkedInBot',           'preview',   'http://www.linkedin.com'],
  ['Slackbot',              'preview',   'https://api.slack.com/robots'],
  ['Discordbot',            'preview',   'https://discordapp.com'],
  ['TelegramBot',           'preview',   'the name in the field'],
  ['WhatsApp',              'preview',   'https://www.whatsapp.com/'],
  ['Pinterestbot',          'preview',   'http://www.pinterest.com/bot.html'],
  ['Feedly',                'feed',      'http://www.feedly.com/fetcher.html'],
  ['Feedbin',               'feed',      'https://feedbin.com/'],
  ['FeedBurner',            'feed',      'http://www.FeedBurner.com'],
  ['NewsBlur',              'feed',      'http://www.newsblur.com'],
  ['Tiny Tiny RSS',         'feed',      'http://tt-rss.org/'],
  ['UniversalFeedParser',   'feed',      'http://feedparser.org/'],
  ['UptimeRobot',           'watch',     'http://www.uptimerobot.com/'],
  ['Pingdom',               'watch',     'http://www.pingdom.com'],
  ['StatusCake',            'watch',     'https://www.statuscake.com'],
  ['comity',                'program',   'this project'],
  ['Scrapy',                'program',   'http://scrapy.org'],
  ['Nutch',                 'program',   'https://nutch.apache.org/'],
  ['HTTrack',               'program',   'https://www.httrack.com/'],
  ['HeadlessChrome',        'program',   'https://developers.google.com/web/updates/2017/04/headless-chrome'],
  ['PhantomJS',             'program',   'https://phantomjs.org/'],
  ['Wget',                  'program',   'https://www.gnu.org/software/wget/'],
  ['curl',                  'program',   'https://curl.se/'],
  ['python-requests',       'program',   'https://requests.readthedocs.io/'],
  ['Python-urllib',         'program',   'https://docs.python.org/3/library/urllib.request.html'],
  ['aiohttp',               'program',   'https://docs.aiohttp.org/en/stable/'],
  ['Go-http-client',        'program',   'https://pkg.go.dev/net/http'],
  ['okhttp',                'program',   'https://square.github.io/okhttp/'],
  ['libwww-perl',           'program',   'https://metacpan.org/dist/libwww-perl'],
  ['node-fetch',            'program',   'https://github.com/node-fetch/node-fetch'],
  ['axios',                 'program',   'https://github.com/axios/axios'],
  ['Apache-HttpClient',     'program',   'https://hc.apache.org/'],
  ['Java/',                 'program',   'https://docs.oracle.com/javase/8/docs/api/java/net/HttpURLConnection.html'],
]

export const CRAWLER_AGENTS: readonly CrawlerAgent[] = TABLE.map(([name, purpose, source]) => ({
  name,
  purpose,
  source,
}))

const FIND: readonly (readonly [found: string, agent: CrawlerAgent])[] = CRAWLER_AGENTS.map((agent) => [
  agent.name.toLowerCase(),
  agent,
])

/** `table`: one of those above. `words`: it calls itself a robot, or names an address to complain at. */
export type ReadAgent =
  | { readonly kind: 'crawler'; readonly by: 'table' | 'words'; readonly agent: CrawlerAgent }
  | { readonly kind: 'browser' }
  /** Nothing in the field tells what it is. */
  | { readonly kind: 'unknown' }

const MAX_CHARS = 512

export function readCrawlerAgent(field: string): ReadAgent {
  const text = field.slice(0, MAX_CHARS)
  const lower = text.toLowerCase()
  const known = FIND.find(([found]) => lower.includes(found))?.[1]
  if (known !== undefined) return { kind: 'crawler', by: 'table', agent: known }
  const name = robotName(text)
  if (name !== undefined)
    return { kind: 'crawler', by: 'words', agent: { name, purpose: 'program', source: 'the name in the field' } }
  return BROWSER.test(text) ? { kind: 'browser' } : { kind: 'unknown' }
}

const BROWSER = /^(?:mozilla|opera)\//i
/** Not of the phones that are called CUBOT. */
const ROBOT =
  /\b[\w.-]{0,40}?(?:(?<!\bcu)bot|crawler|spider|fetcher|scraper|scanner|checker|validator|monitor|indexer|preview|lighthouse)s?\b|\b(?:bot|crawl|spider|robot)[\w.-]{0,30}/i
const ADDRESS = /\+?https?:\/\/([\w.-]{1,100})[^\s;,)]*/gi

/** Nobody's browser tells where to complain. */
function robotName(text: string): string | undefined {
  const named = ROBOT.exec(text.replaceAll(ADDRESS, ' '))?.[0]
  if (named !== undefined) return named
  const host = new RegExp(ADDRESS).exec(text)?.[1]
  if (host === undefined && !MAIL.test(text)) return undefined
  const inside = COMPATIBLE.exec(text)?.[1]
  return inside ?? PRODUCT.exec(text)?.[1] ?? host ?? 'without a name'
}

const MAIL = /@[\w-]{1,60}\.\w/
/** Where robots that pass for browsers put their name. */
const COMPATIBLE = /compatible;\s*(?!MSIE|Konqueror)([a-z][\w .!-]{0,40}?)(?:\/|;|\)|,| \+|$)/i
const PRODUCT = /^(?!mozilla\/|opera\/)([a-z][\w .-]{1,40}?)\/v?\d/i
