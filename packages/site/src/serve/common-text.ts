/**
 * Common text: what several pages have in common, as one body.
 *
 * Pages are cut before each `<` and at line ends; a piece that stands in several of them is common, and common pieces that
 * follow each other make a run. Runs go in by how common they are, the commonest last: what is nearest costs the fewest bits
 * to point at. Text that stands in one page only is left out.
 */

/** A shorter run costs as much to point at as to write. */
const MIN_RUN_BYTES = 24

interface Run {
  readonly text: string
  /** In how many pages its pieces stand, weighted by their lengths. */
  readonly pages: number
}

/** What several of the bodies have in common. */
export function commonText(bodies: readonly Buffer[], { maxBytes }: { readonly maxBytes: number }): Buffer {
  // Each octet is one character, so that nothing is lost whatever the charset.
  const pages = bodies.map((body) => body.toString('latin1').match(PIECES) ?? [])
  const counts = new Map<string, number>()
  for (const pieces of pages) for (const piece of new Set(pieces)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
  const runs = pages.flatMap((pieces) => runsOf(pieces, counts, new Set()))
  const chosen: Run[] = []
  let room = maxBytes
  const taken = new Set<string>()
  for (const run of runs.toSorted((a, b) => b.pages - a.pages || b.text.length - a.text.length)) {
    const rest = untaken(run, taken)
    if (rest === undefined || rest.text.length > room) continue
    room -= rest.text.length
    chosen.push(rest)
  }
  return Buffer.from(
    chosen
      .toReversed()
      .map(({ text }) => text)
      .join(''),
    'latin1',
  )
}

const PIECES = /<[^<\n]*\n?|[^<\n]+\n?|\n/g

/** Pieces that stand in other pages too and follow each other, each once. */
function runsOf(pieces: readonly string[], counts: ReadonlyMap<string, number>, seen: Set<string>): Run[] {
  const runs: Run[] = []
  let [text, weight] = ['', 0]
  const end = (): void => {
    if (text.length >= MIN_RUN_BYTES) runs.push({ text, pages: weight / text.length })
    text = ''
    weight = 0
  }
  for (const piece of pieces) {
    const count = counts.get(piece) ?? 0
    const isNew = !seen.has(piece)
    if (count < 2 || (!isNew && piece.length >= MIN_RUN_BYTES)) {
      end()
      continue
    }
    seen.add(piece)
    text += piece
    weight += count * piece.length
  }
  end()
  return runs
}

/** The run without long pieces that are in the dictionary already; undefined when nothing of it is new. */
function untaken({ text, pages }: Run, taken: Set<string>): Run | undefined {
  const rest = (text.match(PIECES) ?? []).filter((piece) => piece.length < MIN_RUN_BYTES || !taken.has(piece))
  const left = rest.join('')
  const isNew = rest.some((piece) => piece.length >= MIN_RUN_BYTES) || !taken.has(left)
  for (const piece of rest) taken.add(piece)
  taken.add(left)
  return isNew && left.length >= MIN_RUN_BYTES ? { text: left, pages } : undefined
}
