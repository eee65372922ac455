/**
 * Graph labels: which names can stand in the picture without covering each other or a site. The largest sites choose
 * first, each among eight places; who finds none is named when pointed at.
 */
import { HEIGHT, WIDTH } from './layout.ts'
import type { Layout } from './layout.ts'

export interface Label {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly isShown: boolean
}

const FONT_SIZE = 13
/** How many of the largest may cover small sites with their names. */
const MAIN = 24
const MAX_COVERED = 3
const SMALL = 9
/** Of a letter of the usual fonts for screens, on average, in font sizes. */
const LETTER = 0.56

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function placeLabels(layout: Layout, names: readonly string[], limit: number): readonly Label[] {
  const { radius } = layout
  const labels: Label[] = names.map((_, i) => hiddenLabel(layout, i))
  const boxes: Box[] = []
  const order = [...names.keys()].toSorted((a, b) => radius[b]! - radius[a]! || a - b)
  for (const i of order) {
    if (boxes.length >= limit) break
    const name = names[i]!
    const judged = places(layout, i).map((label) => [label, coverOf(boxOf(label, name), boxes, layout, i)] as const)
    const [found, covered] = judged.reduce((best, one) => (one[1] < best[1] ? one : best))
    // The very largest are named over small sites if need be, as letters have a rim of paper.
    if (covered > (boxes.length < MAIN ? MAX_COVERED : 0)) continue
    labels[i] = found
    boxes.push(boxOf(found, names[i]!))
  }
  return labels
}

function places({ x, y, radius }: Layout, i: number): Label[] {
  const [cx, cy, away] = [x[i]!, y[i]!, radius[i]! + 4]
  const middle = cy + FONT_SIZE * 0.35
  const slant = away * Math.SQRT1_2
  return [
    { x: cx + away, y: middle, anchor: 'start', isShown: true },
    { x: cx - away, y: middle, anchor: 'end', isShown: true },
    { x: cx, y: cy - away, anchor: 'middle', isShown: true },
    { x: cx, y: cy + away + FONT_SIZE * 0.75, anchor: 'middle', isShown: true },
    { x: cx + slant, y: cy - slant, anchor: 'start', isShown: true },
    { x: cx + slant, y: cy + slant + FONT_SIZE * 0.75, anchor: 'start', isShown: true },
    { x: cx - slant, y: cy - slant, anchor: 'end', isShown: true },
    { x: cx - slant, y: cy + slant + FONT_SIZE * 0.75, anchor: 'end', isShown: true },
  ]
}

/** Shown when pointed at; towards the middle, so that it stays in the picture. */
function hiddenLabel({ x, y, radius }: Layout, i: number): Label {
  const isRight = x[i]! > WIDTH / 2
  const away = radius[i]! + 4
  return {
    x: x[i]! + (isRight ? -away : away),
    y: y[i]! + FONT_SIZE * 0.35,
    anchor: isRight ? 'end' : 'start',
    isShown: false,
  }
}

function boxOf({ x, y, anchor }: Label, name: string): Box {
  const width = name.length * FONT_SIZE * LETTER
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left: left - 2, right: left + width + 2, top: y - FONT_SIZE, bottom: y + 3 }
}

/** How many small sites a name would cover; Infinity where it cannot stand: over another name, a large site, the edge. */
function coverOf(box: Box, others: readonly Box[], { x, y, radius }: Layout, own: number): number {
  if (box.left < 0 || box.right > WIDTH || box.top < 0 || box.bottom > HEIGHT) return Infinity
  if (others.some((other) => isMeeting(box, other))) return Infinity
  let covered = 0
  for (let i = 0; i < x.length; i++) {
    if (i === own) continue
    const nearX = Math.min(box.right, Math.max(box.left, x[i]!))
    const nearY = Math.min(box.bottom, Math.max(box.top, y[i]!))
    if ((nearX - x[i]!) ** 2 + (nearY - y[i]!) ** 2 >= radius[i]! ** 2) continue
    if (radius[i]! > SMALL) return Infinity
    covered++
  }
  return covered
}

const isMeeting = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
