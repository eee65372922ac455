/**
 * Line difference: the shortest way from one text to another by lines taken out and put in, as a person reads it.
 *
 * It costs in proportion to the lines times the differences, so both are capped: texts that have little in common are
 * told as all removed, all added, which is what a reader would see in the end anyway.
 */
import { diffArrays } from 'diff'

interface DifferenceLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped'
  readonly text: string
}

interface LineDifference {
  readonly lines: readonly DifferenceLine[]
  readonly added: number
  readonly removed: number
  /** Texts too long or too different to be told whole. */
  readonly isCut: boolean
}

interface DifferenceLimits {
  /** Of each text. */
  readonly maxLines: number
  /** Changes up to which the shortest way is looked for; memory is in proportion to its square. */
  readonly maxChanges: number
  /** Of what is told. */
  readonly maxTold: number
  readonly maxLineChars: number
  /** Kept lines shown on both sides of a change; Infinity: all, also where there is no change. */
  readonly context: number
}

export const differenceLimits: DifferenceLimits = {
  maxLines: 20_000,
  maxChanges: 1_000,
  maxTold: 2_000,
  maxLineChars: 2_000,
  context: 3,
}

export function lineDifference(
  before: string,
  after: string,
  limits: DifferenceLimits = differenceLimits,
): LineDifference {
  const [from, to] = [linesOf(before, limits), linesOf(after, limits)]
  const whole = wayBetween(from.lines, to.lines, limits.maxChanges)
  const folded = fold(whole, limits.context)
  return {
    lines: folded.slice(0, limits.maxTold),
    added: whole.filter(({ kind }) => kind === 'added').length,
    removed: whole.filter(({ kind }) => kind === 'removed').length,
    isCut: from.isCut || to.isCut || folded.length > limits.maxTold,
  }
}

function linesOf(text: string, { maxLines, maxLineChars }: DifferenceLimits): { lines: string[]; isCut: boolean } {
  const all = text === '' ? [] : text.split('\n', maxLines + 1)
  let isCut = all.length > maxLines
  const lines = all.slice(0, maxLines).map((line) => {
    if (line.length <= maxLineChars) return line
    isCut = true
    return line.slice(0, maxLineChars).toWellFormed()
  })
  return { lines, isCut }
}

/** What both begin and end with is set aside first: most changes to a page are small. */
function wayBetween(from: readonly string[], to: readonly string[], maxChanges: number): DifferenceLine[] {
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let end = 0
  const most = Math.min(from.length, to.length) - start
  while (end < most && from[from.length - 1 - end] === to[to.length - 1 - end]) end++
  const [oldPart, newPart] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  return [
    ...told('same', from.slice(0, start)),
    ...(shortestWay(oldPart, newPart, maxChanges) ?? [...told('removed', oldPart), ...told('added', newPart)]),
    ...told('same', from.slice(from.length - end)),
  ]
}

const told = (kind: DifferenceLine['kind'], texts: readonly string[]): DifferenceLine[] =>
  texts.map((text) => ({ kind, text }))

/** Undefined when there are more changes than we look for. */
function shortestWay(from: readonly string[], to: readonly string[], maxChanges: number): DifferenceLine[] | undefined {
  return diffArrays([...from], [...to], { maxEditLength: maxChanges })?.flatMap(({ added, removed, value }) =>
    told(added ? 'added' : removed ? 'removed' : 'same', value),
  )
}

/** Long runs of kept lines become one line that says how many. */
function fold(lines: readonly DifferenceLine[], context: number): readonly DifferenceLine[] {
  if (context === Infinity) return lines
  const folded: DifferenceLine[] = []
  for (let at = 0; at < lines.length;) {
    let end = at
    while (end < lines.length && lines[end]!.kind === 'same') end++
    const head = at === 0 ? 0 : context
    const tail = end === lines.length ? 0 : context
    if (end - at > head + tail + 1) {
      const skipped = end - at - head - tail
      folded.push(...lines.slice(at, at + head))
      folded.push({ kind: 'skipped', text: `${skipped} lines the same` })
      folded.push(...lines.slice(end - tail, end))
    } else folded.push(...lines.slice(at, end))
    for (at = end; at < lines.length && lines[at]!.kind !== 'same'; at++) folded.push(lines[at]!)
  }
  return folded
}
