/**
 * User agent: who asks, by the User-Agent field (RFC 9110 §10.1.5): a browser, or a robot, and of what kind. Robots that most
 * sites meet stand in a table, with what they ask for and where their owner says so; of others the field is searched for what
 * only programs write. It is the one place where that is decided: gateways, ledgers, logs and the lab count by it.
 * Anybody can write anything there, so this is good for counting and for nothing that must be safe.
 */

/**
 * Who asks that is no browser. `crawler`: goes from page to page by itself. `feed-reader`: comes back for a list of news that
 * somebody subscribed to. `preview`: one page, because a person posted its link or asked a program about it just now.
 * `tool`: a command, a library, a monitor, a test.
 */
export const ROBOT_KINDS = ['crawler', 'feed-reader', 'preview', 'tool'] as const
export type RobotKind = (typeof ROBOT_KINDS)[number]

/**
 * What for. `crawl`: nobody knows: a crawler that anybody can run, or a name that says no more than that it is one. `preview`:
 * for one link that somebody posted. `user`: one page, because a person asked a program about it just now. `watch`: whether a
 * site is there, quick, safe, right.
 */
export type RobotPurpose =
  | 'search'
  | 'assistant'
  | 'archive'
  | 'marketing'
  | 'crawl'
  | 'feed'
  | 'preview'
  | 'user'
  | 'watch'
  | 'program'

const KIND_OF: Readonly<Record<RobotPurpose, RobotKind>> = {
  search: 'crawler',
  assistant: 'crawler',
  archive: 'crawler',
  marketing: 'crawler',
  crawl: 'crawler',
  feed: 'feed-reader',
  preview: 'preview',
  user: 'preview',
  watch: 'tool',
  program: 'tool',
}

export interface RobotAgent {
  readonly name: string
  readonly purpose: RobotPurpose
  /** Where its owner describes it, or what it names in the field itself. */
  readonly source: string
}

export const robotKind = ({ purpose }: Pick<RobotAgent, 'purpose'>): RobotKind => KIND_OF[purpose]

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
const TABLE: readonly (readonly [name: string, purpose: RobotPurpose, source: string])[] = [
  ['Google-InspectionTool', 'watch',     GOOGLE],
  ['GoogleOther',           'search',    GOOGLE],
  ['Storebot-Google',       'search',    GOOGLE],
  ['AdsBot-Google',         'marketing', GOOGLE],
  ['Mediapartners-Google',  'marketing', GOOGLE],
  ['FeedFetcher-Google',    'feed',      'http://www.google.com/feedfetcher.html'],
  ['FreshRSS',              'feed',      'https://freshrss.org/'],
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
  ['Sogou web spider',      'search',    'http://www.sogou.com/docs/help/webmasters.htm#07'],
  ['SeznamBot',             'search',    'http://napoveda.seznam.cz/en/seznambot-intro/'],
  ['PetalBot',              'search',    'https://webmaster.petalsearch.com/site/petalbot'],
  ['Qwantify',              'search',    'https://www.qwant.com/'],
  ['MojeekBot',             'search',    'https://www.mojeek.com/bot.html'],
  ['Yeti/',                 'search',    'http://naver.me/bot'],
  ['coccoc',                'search',    'http://help.coccoc.com/'],
  ['GPTBot',                'assistant', OPENAI],
  ['OAI-SearchBot',         'search',    OPENAI],
  ['ChatGPT-User',          'user',      OPENAI],
  ['Claude-SearchBot',      'search',    ANTHROPIC],
  ['Claude-User',           'user',      ANTHROPIC],
  ['ClaudeBot',             'assistant', ANTHROPIC],
  ['Perplexity-User',       'user',      PERPLEXITY],
  ['meta-externalfetcher',  'user',      META],
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
  ['Facebot',               'preview',   META],
  ['Slack-ImgProxy',        'preview',   'https://api.slack.com/robots'],
  ['Slackbot',              'preview',   'https://api.slack.com/robots'],
  ['Discordbot',            'preview',   'https://discordapp.com'],
  ['TelegramBot',           'preview',   'the name in the field'],
  ['WhatsApp/',             'preview',   'https://www.whatsapp.com/'],
  ['Pinterestbot',          'preview',   'http://www.pinterest.com/bot.html'],
  ['FlipboardProxy',         'preview',   'https://about.flipboard.com/browserproxy'],
  ['Embedly',                'preview',   'https://support.embed.ly/'],
  ['Iframely',               'preview',   'https://iframely.com/docs/about'],
  ['redditbot',              'preview',   'http://www.reddit.com/feedback'],
  ['vkShare',                'preview',   'https://vk.com/dev/Share'],
  ['Mastodon/',              'preview',   'https://docs.joinmastodon.org/'],
  ['Bluesky',                'preview',   'the name in the field'],
  ['Viber',                  'preview',   'the name in the field'],
  ['GoogleImageProxy',       'preview',   'the name in the field'],
  ['YahooMailProxy',         'preview',   'the name in the field'],
  ['github-camo',            'preview',   'https://github.com/atmos/camo'],
  ['Feedly',                'feed',      'http://www.feedly.com/fetcher.html'],
  ['Feedbin',               'feed',      'https://feedbin.com/'],
  ['FeedBurner',            'feed',      'http://www.FeedBurner.com'],
  ['NewsBlur',              'feed',      'http://www.newsblur.com'],
  ['Tiny Tiny RSS',         'feed',      'http://tt-rss.org/'],
  ['UniversalFeedParser',   'feed',      'http://feedparser.org/'],
  ['SimplePie',              'feed',      'http://simplepie.org/'],
  ['MagpieRSS',              'feed',      'http://magpierss.sf.net/'],
  ['Liferea',                'feed',      'https://lzone.de/liferea/'],
  ['Akregator',              'feed',      'https://apps.kde.org/akregator/'],
  ['Miniflux',               'feed',      'https://miniflux.app/'],
  ['NetNewsWire',            'feed',      'https://netnewswire.com/'],
  ['NextCloud-News',         'feed',      'https://github.com/nextcloud/news'],
  ['inoreader',              'feed',      'https://www.inoreader.com/'],
  ['theoldreader',           'feed',      'https://theoldreader.com/'],
  ['BazQux',                 'feed',      'https://bazqux.com/fetcher'],
  ['Reeder/',               'feed',      'https://reederapp.com/'],
  ['Newsify/',              'feed',      'https://newsify.co/'],
  ['Netvibes',               'feed',      'http://www.netvibes.com/'],
  ['Bloglines',              'feed',      'http://www.bloglines.com/'],
  ['Superfeedr',             'feed',      'http://superfeedr.com/'],
  ['PocketCasts',            'feed',      'https://pocketcasts.com/'],
  ['Overcast/',              'feed',      'http://overcast.fm/'],
  ['UptimeRobot',           'watch',     'http://www.uptimerobot.com/'],
  ['Pingdom',               'watch',     'http://www.pingdom.com'],
  ['StatusCake',            'watch',     'https://www.statuscake.com'],
  ['Zabbix',                 'watch',     'https://www.zabbix.com/'],
  ['check_http',             'watch',     'https://www.monitoring-plugins.org/'],
  ['DatadogSynthetics',      'watch',     'https://docs.datadoghq.com/synthetics/'],
  ['GTmetrix',               'watch',     'https://gtmetrix.com/'],
  ['PTST/',                  'watch',     'https://www.webpagetest.org/'],
  ['Site24x7',               'watch',     'https://www.site24x7.com/'],
  ['W3C_',                   'watch',     'https://validator.w3.org/services'],
  ['Xenu Link Sleuth',       'watch',     'http://home.snafu.de/tilman/xenulink.html'],
  ['CensysInspect',          'watch',     'https://about.censys.io/'],
  ['zgrab',                  'watch',     'https://zmap.io/'],
  ['Nikto',                  'watch',     'https://cirt.net/Nikto2'],
  ['Nmap',                   'watch',     'https://nmap.org/'],
  ['comity',                'crawl',     'this project'],
  ['Scrapy',                'crawl',     'http://scrapy.org'],
  ['Nutch',                 'crawl',     'https://nutch.apache.org/'],
  ['HTTrack',               'crawl',     'https://www.httrack.com/'],
  ['HeadlessChrome',        'program',   'https://developers.google.com/web/updates/2017/04/headless-chrome'],
  ['PhantomJS',             'program',   'https://phantomjs.org/'],
  ['Playwright',             'program',   'https://playwright.dev/'],
  ['Puppeteer',              'program',   'https://pptr.dev/'],
  ['Selenium',               'program',   'https://www.selenium.dev/'],
  ['Wget',                  'program',   'https://www.gnu.org/software/wget/'],
  ['curl/',                 'program',   'https://curl.se/'],
  ['python-requests',       'program',   'https://requests.readthedocs.io/'],
  ['Python-urllib',         'program',   'https://docs.python.org/3/library/urllib.request.html'],
  ['aiohttp',               'program',   'https://docs.aiohttp.org/en/stable/'],
  ['python-httpx',           'program',   'https://www.python-httpx.org/'],
  ['HTTPie',                 'program',   'https://httpie.io/'],
  ['Go-http-client',        'program',   'https://pkg.go.dev/net/http'],
  ['okhttp',                'program',   'https://square.github.io/okhttp/'],
  ['GuzzleHttp',             'program',   'https://docs.guzzlephp.org/'],
  ['sindresorhus/got',       'program',   'https://github.com/sindresorhus/got'],
  ['undici',                 'program',   'https://github.com/nodejs/undici'],
  ['reqwest',                'program',   'https://docs.rs/reqwest'],
  ['PostmanRuntime',         'program',   'https://www.postman.com/'],
  ['WordPress/',             'program',   'https://wordpress.org/'],
  ['Drupal',                 'program',   'https://www.drupal.org/'],
  ['AppEngine-Google',       'program',   'https://cloud.google.com/appengine'],
  ['CloudFront',             'program',   'https://aws.amazon.com/cloudfront/'],
  ['libwww-perl',           'program',   'https://metacpan.org/dist/libwww-perl'],
  ['node-fetch',            'program',   'https://github.com/node-fetch/node-fetch'],
  ['axios/',                'program',   'https://github.com/axios/axios'],
  ['Apache-HttpClient',     'program',   'https://hc.apache.org/'],
  ['Java/',                 'program',   'https://docs.oracle.com/javase/8/docs/api/java/net/HttpURLConnection.html'],
]

/** A name that ends with a slash is one only with its version behind it. */
export const KNOWN_ROBOTS: readonly RobotAgent[] = TABLE.map(([name, purpose, source]) => ({
  name: name.replace(/\/$/, ''),
  purpose,
  source,
}))

const FIND: readonly (readonly [found: string, agent: RobotAgent])[] = TABLE.map(([name], at) => [
  name.toLowerCase(),
  KNOWN_ROBOTS[at]!,
])

/** `table`: one of those above. `words`: it calls itself a robot, names an address to complain at, or is no browser’s name. */
export type ReadUserAgent =
  | { readonly kind: 'robot'; readonly by: 'table' | 'words'; readonly agent: RobotAgent }
  | { readonly kind: 'browser' }
  /** Nothing in the field tells what it is. */
  | { readonly kind: 'unknown' }

const MAX_CHARS = 512
const MAX_NAME_CHARS = 60

/** Browsers always say something; in logs a field that was not sent is a dash. */
export const NAMELESS_ROBOT: RobotAgent = { name: 'without a name', purpose: 'program', source: 'its requests' }

export function readUserAgent(field: string): ReadUserAgent {
  const text = field.slice(0, MAX_CHARS).trim()
  if (text === '' || text === '-') return { kind: 'robot', by: 'words', agent: NAMELESS_ROBOT }
  const lower = text.toLowerCase()
  const known = FIND.find(([found]) => lower.includes(found))?.[1]
  if (known !== undefined) return { kind: 'robot', by: 'table', agent: known }
  const name = robotName(text)?.slice(0, MAX_NAME_CHARS)
  if (name !== undefined)
    return {
      kind: 'robot',
      by: 'words',
      agent: { name, purpose: purposeIn(name, text), source: 'the name in the field' },
    }
  return BROWSER.test(text) ? { kind: 'browser' } : { kind: 'unknown' }
}

const BROWSER = /^(?:mozilla|opera)\//i
/** Not of the phones that are called CUBOT. */
const ROBOT =
  /\b[\w.-]{0,40}?(?:(?<!\bcu)bot|crawler|spider|fetcher|scraper|scanner|checker|validator|monitor|uptime|indexer|preview|lighthouse)s?\b|\b(?:bot|crawl|spider|robot)[\w.-]{0,30}/i
const ADDRESS = /\+?https?:\/\/([\w.-]{1,100})[^\s;,)]*/gi
/** A part of Windows that browsers are made of names its maker. */
const EMBEDDED = /http:\/\/(?:www\.)?bsalsa\.com/gi

/** Nobody's browser tells where to complain. */
function robotName(whole: string): string | undefined {
  const text = whole.replaceAll(EMBEDDED, '')
  const product = PRODUCT.exec(text)?.[1]?.trim()
  const named = ROBOT.exec(text.replaceAll(ADDRESS, ' '))?.[0]
  if (named !== undefined) return product?.includes(named) === true ? product : named
  const inside = COMPATIBLE.exec(text)?.[1]
  const host = new RegExp(ADDRESS).exec(text)?.[1]
  if (host !== undefined || MAIL.test(text)) return inside ?? product ?? host ?? NAMELESS_ROBOT.name
  return inside ?? (product !== undefined && (PROGRAM.test(product) || NEWS.test(text)) ? product : undefined)
}

/** Not the version of an app, `android@150.0`. */
const MAIL = /@(?=[\w.-]{0,100}[a-z])[\w-]{1,60}\.\w/i
/** Where robots that pass for browsers put their name, and some browsers of before theirs. */
const COMPATIBLE =
  /compatible;\s*(?!MSIE|Konqueror|iCab|OmniWeb|[AI]Browse|NetPositive|NetFront|Netscape|Dillo|AvantGo|Opera|Windows|Macintosh|Linux|X11|U\b)([a-z][\w .!-]{1,40}?)(?:\/|;|\)|,| \+|$)/i
const PRODUCT = /^(?!mozilla\b|opera\b)([a-z][\w .-]{1,40}?)(?:[/ ]v?\d|\s*[(;,+]|$)/i

/** Of a library or a command. */
const PROGRAM = /https?(?:[_/-]|\b)|http(?:client|request)|client|java|perl|php|python|ruby|\blib|download|\bget\b/i

/** Of a robot that the table lacks, by the words that it uses of itself. */
function purposeIn(name: string, text: string): RobotPurpose {
  if (NEWS.test(text)) return 'feed'
  for (const [purpose, words] of BY_NAME) if (words.test(name)) return purpose
  return 'crawl'
}

const NEWS =
  /\brss\w{0,40}|rss(?:bot|reader|parser)?\b|\batom\b|(?<!data)feed(?!back)|podcast|aggregator|\b\d{1,9} (?:subscriber|reader)s?\b/i
const BY_NAME: readonly (readonly [RobotPurpose, RegExp])[] = [
  ['preview', /preview|unfurl|embed|externalhit|favicon|thumbnail/i],
  ['watch', /monitor|uptime|check|validat|lighthouse|scanner|\bping|probe|synthetic|status|security|speed/i],
  ['archive', /archiv/i],
  ['crawl', /bot|crawl|spider|scraper|indexer/i],
  ['program', PROGRAM],
]
