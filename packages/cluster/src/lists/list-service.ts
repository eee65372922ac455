/** A shard's lists, told on the road to whoever asks for its own. */
import { isCount, isRecordOf } from '@comity/collection'
import type { Road } from '../road/road.ts'
import { listPlace } from './inflow.ts'
import { tell } from './telling.ts'
import type { ListSource, Question } from './telling.ts'

const isQuestion = isRecordOf({ shard: isCount, epoch: isCount, position: isCount })

/** Until the returned function is called. */
export function serveLists(road: Road, shard: number, source: ListSource, isHeld: () => boolean): () => void {
  return road.answerAt(listPlace(shard), (message) => {
    if (!isHeld() || !isQuestion(message)) return undefined
    return { ...tell(source, message as unknown as Question) }
  })
}
