/** All odd answers: the table that is put to a real Chromium (`test/gateway/chromium-answers.test.ts`). */
import type { OddAnswer } from './odd-answer.ts'
import { oddEnds, oddLengths, oddPieces, oddTransferCodings } from './odd-answer-bodies.ts'
import { oddCodingLists, oddCodingNames, oddCodings } from './odd-answer-codings.ts'
import { oddFields, oddInterims, oddLineEnds, oddStatusLines } from './odd-answer-heads.ts'

export const ODD_ANSWERS: readonly OddAnswer[] = [
  ...oddStatusLines,
  ...oddInterims,
  ...oddLineEnds,
  ...oddFields,
  ...oddLengths,
  ...oddTransferCodings,
  ...oddPieces,
  ...oddEnds,
  ...oddCodingNames,
  ...oddCodingLists,
  ...oddCodings,
]
