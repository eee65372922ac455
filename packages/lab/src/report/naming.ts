/**
 * Report naming: where the names of a plot's lines stand. At the ends of the lines when there is room, else inside beside
 * each line, else in a key above the plot, in the order in which the lines lie.
 */
import { placeInside, spreadLabels } from './label.ts'
import type { Box, Spot } from './label.ts'

export interface NamedLine {
  readonly name: string
  readonly color: string
  /** The line in pixels. */
  readonly spots: readonly Spot[]
}

export interface Label {
  readonly text: string
  readonly color: string
  /** Left end of the text (right end for `end`), and its middle. */
  readonly at: Spot
  readonly anchor?: 'end'
  /** A thin line from here to the text; none when the text touches what it names. */
  readonly leader: readonly [Spot, Spot] | undefined
}

export const fontSize = 12
const lineHeight = 16
// Names longer than this are cut in the plot; the key of the figure and its CSV have them whole.
const maxLength = 30

export const shortName = (name: string): string =>
  name.length > maxLength ? `${name.slice(0, maxLength - 1).trimEnd()}…` : name

/** Fonts differ between machines, so this is the width of a wide one, not a measured width. */
export function textWidth(text: string): number {
  let ems = 0
  for (const char of text)
    ems += char > '\u1100' ? 1 : /[A-Z@%MWmw]/.test(char) ? 0.8 : /[ .,:;iljtfr1|'()-]/.test(char) ? 0.38 : 0.6
  return ems * fontSize
}

/** Room that names at the ends of lines need right of the plot. */
export const endRoom = (names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => textWidth(shortName(name)))) + 18

/** undefined when the ends lie so close together that the names would stand far from what they name. */
export function nameEnds(lines: readonly NamedLine[], frame: Box): Label[] | undefined {
  const right = frame.x + frame.width
  const ends = lines.map(({ spots }) => spots.at(-1))
  if (ends.some((end) => end === undefined || end.x < right - frame.width / 4)) return undefined
  const wishes = ends.map((end) => end!.y)
  const middles = spreadLabels(wishes, lineHeight, frame.y - lineHeight / 2, frame.y + frame.height + lineHeight / 2)
  if (middles === undefined || middles.some((y, i) => Math.abs(y - wishes[i]!) > lineHeight * 1.1)) return undefined
  return lines.map(({ name, color }, i) => {
    const at = { x: right + 14, y: middles[i]! }
    return { text: shortName(name), color, at, leader: [ends[i]!, { x: at.x - 3, y: at.y }] }
  })
}

/** undefined when some line has no free place beside it. */
export function nameInside(lines: readonly NamedLine[], frame: Box): Label[] | undefined {
  const curves = lines.map(({ name, spots }) => ({ spots, width: textWidth(shortName(name)), height: lineHeight }))
  const placed = placeInside(curves, frame)
  return placed?.map(({ box, anchor }, i) => {
    const { name, color } = lines[i]!
    const at = { x: box.x, y: box.y + box.height / 2 }
    const near = {
      x: Math.min(Math.max(anchor.x, box.x), box.x + box.width),
      y: anchor.y < box.y ? box.y + 2 : box.y + box.height - 2,
    }
    return { text: shortName(name), color, at, leader: [anchor, near] }
  })
}

/** From the highest line to the lowest. */
export function keyOrder(lines: readonly NamedLine[]): number[] {
  const heights = lines.map(({ spots }) => spots.reduce((sum, { y }) => sum + y, 0) / Math.max(1, spots.length))
  return lines.map((_, i) => i).toSorted((a, b) => heights[a]! - heights[b]! || a - b)
}
