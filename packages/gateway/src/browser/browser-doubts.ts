/**
 * Browser doubts: why others could take an answer for something else than Chromium does. The first are those of heads and frames
 * (`http/head.ts`, `http/body-frame.ts`).
 */ export const BROWSER_DOUBTS = [
  'odd-start-line',
  'odd-version',
  'odd-status',
  'odd-end',
  'leading-bytes',
  'odd-field',
  'folded-field',
  'lone-line-feed',
  'lone-return',
  'odd-character',
  'too-many-fields',
  'two-framings',
  'odd-transfer-coding',
  'odd-length',
  'repeated-length',
  'odd-framing',
  'odd-pieces',
  'unknown-coding',
  'damaged-coding',
  'cut-coding',
  'other-coding',
  'cut-short',
  'unfinished',
  'extra-bytes',
  'switching',
  'early',
  'conflict',
  'unpaired',
  'unsure-url',
] as const

export type BrowserDoubt = (typeof BROWSER_DOUBTS)[number]
