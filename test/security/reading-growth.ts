/**
 * Reading growth: does the time of a reader grow with what it reads, or faster? Every reader of a stranger's text is given
 * long runs of whatever might make it look twice: openings without an end, ends without an opening, blanks, separators.
 *
 * Time is what shows a quadratic reader whatever causes it, and time by the clock on a busy machine is also that of others: so
 * it is this thread's processor time. A step of eight in size is looked at: a reader of one pass takes eight times as long, one
 * that looks back takes sixty-four. Only what takes long in any case counts, and only when it does so three times in a row.
 */
export interface TextReader {
  readonly name: string
  readonly read: (text: string, bytes: Buffer) => unknown
}

export interface Growth {
  readonly reader: string
  readonly run: string
  readonly chars: number
  readonly tookMs: number
  readonly beforeMs: number
}

/** So near each other that a reader which is worse than quadratic is found before it takes for ever. */
const SIZES = [512, 2_048, 16_384] as const
/** Below this nobody is held up, and a pause of the machine's looks like growth. */
const NOTICED_MS = 40
/** How much longer than in proportion. */
const MOST_GROWTH = 3
const TRIES = 3

/** What runs are made of: a beginning, what is repeated, and an end that fits nothing before it. */
// oxfmt-ignore
const UNITS: readonly string[] = [
  ' ', '\t', '\n', '\r\n', '\r', '\0', 'a', 'aa ', '0', '9', '.', '/', '//', '/a', '/../', '*', '*a', '$', '?', '&', '&a', '&amp', '&#',
  '&#x', '%', '%2', '%41', ',', ', ', ';', '; ', ';a', ';a=', ';a="', '=', ':', ': ', '"', '\\', '\\"', "'", '(', '()', ')', '[', ']', '{',
  '}', '{"a":', '[[', '<', '<a', '<a ', '<a href="', '<!--', '-->', '<![CDATA[', ']]', '<?', '?>', '</', '</a', '<script>', '<svg>', '<p>',
  '<url><loc>', '<a b="c" ', '-', '--', '_', '#', '@', '+', '|', '~', '^', 'http://', 'http://a.example/', 'a=b&', 'a.', 'xn--', 'W/', 'W/"a",',
  '<a>;rel=b,', 'é', '\u200b', '\ud800', '🙂', 'WARC/1.0\r\n', 'a: b\r\n', ' a\r\n', 'User-agent: a\n', 'Disallow: /*a*a*a\n', 'Sitemap: a\n',
  'data:', 'id: a\n', '1;q=0.1,', 'bytes=', '0-1,', '2026-', 'Mon, ', 'gzip,', 'AND ', 'OR (', 'NOT ', 'site:', '-a ',
]
const STARTS: readonly string[] = [
  'a',
  '"',
  '<',
  '<a href="',
  '{"a":"',
  '/',
  'http://a.example/',
  'User-agent: *\nDisallow: /',
  'data: ',
]
const ENDS: readonly string[] = ['', '!', '\n', '"x']

/** The runs that a reader does not read in proportion. */
export function growthsOf({ name, read }: TextReader): Growth[] {
  const found: Growth[] = []
  for (const [place, unit] of UNITS.entries()) {
    // Each by itself and behind two of the beginnings; all pairs would take four times as long and found no more.
    for (const start of ['', STARTS[place % STARTS.length]!, STARTS[(place * 7 + 3) % STARTS.length]!]) {
      const end = ENDS[(place + start.length) % ENDS.length]!
      const growth = growthOf(name, read, (chars) => start + unit.repeat(Math.ceil(chars / unit.length)) + end)
      if (growth !== undefined) found.push({ ...growth, run: JSON.stringify([start, unit, end]) })
    }
  }
  return found
}

function growthOf(
  reader: string,
  read: TextReader['read'],
  runOf: (chars: number) => string,
): Omit<Growth, 'run'> | undefined {
  // A kilobyte that takes long is no matter of growth any more.
  const before = { chars: 1, ms: 0 }
  for (const chars of SIZES) {
    const text = runOf(chars)
    let ms = timeOf(read, text)
    // A machine that was busy elsewhere is not so every time.
    for (let again = 1; again < TRIES && ms > NOTICED_MS; again++) {
      ms = Math.min(ms, timeOf(read, text))
      if (before.ms > 0) before.ms = Math.max(before.ms, timeOf(read, runOf(before.chars)))
    }
    const isFaster = ms > ((MOST_GROWTH * chars) / before.chars) * before.ms
    if (ms > NOTICED_MS && isFaster) return { reader, chars, tookMs: ms, beforeMs: before.ms }
    Object.assign(before, { chars, ms })
  }
  return undefined
}

function timeOf(read: TextReader['read'], text: string): number {
  const bytes = Buffer.from(text)
  const began = threadMs()
  read(text, bytes)
  return threadMs() - began
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
