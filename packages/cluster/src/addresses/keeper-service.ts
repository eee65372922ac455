/** A keeper that answers on the road, as long as its machine holds it. What nobody can mean is not answered. */
import { isCount, isNumber, isText, isListOf, isRecordOf } from '@comity/collection'
import type { Shape } from '@comity/collection'
import type { Clock } from '../clock.ts'
import type { Message, Road } from '../road/road.ts'
import type { AddressKeeper, Ask } from './keeper.ts'
import { keeperPlace } from './loans.ts'

/** Nobody has longer ones: what is kept of each is bounded. */
const MAX_ADDRESS_CHARS = 64
const MAX_TOKEN_CHARS = 64
const isAddress: Shape = (value) => isText(value) && (value as string).length <= MAX_ADDRESS_CHARS
const isToken: Shape = (value) => isText(value) && (value as string).length <= MAX_TOKEN_CHARS

const isBorrow = isRecordOf({ shard: isCount, epoch: isCount, token: isToken, address: isAddress, restMs: isNumber })
const isLoan = isRecordOf({ address: isAddress, token: isToken, restMs: isNumber })
const isRenew = isRecordOf({ shard: isCount, epoch: isCount, loans: isListOf(isLoan) })

interface KeeperServiceParts {
  readonly road: Road
  readonly keeper: number
  readonly addresses: AddressKeeper
  readonly epoch: number
  /** Whether it is still ours. */
  readonly isHeld: () => boolean
  readonly clock: Clock
}

/** Until the returned function is called. */
export function serveKeeper({ road, keeper, addresses, epoch, isHeld, clock }: KeeperServiceParts): () => void {
  return road.answerAt(keeperPlace(keeper), (message) => {
    if (!isHeld()) return undefined
    const answer = answerOf(addresses, message, clock.monotonic())
    return answer === undefined ? undefined : { ...answer, epoch }
  })
}

function answerOf(addresses: AddressKeeper, message: Message, now: number): Message | undefined {
  if (message['kind'] === 'borrow' && isBorrow(message)) {
    const answered = addresses.borrow(message as unknown as Ask, now)
    return answered.kind === 'wait' ? { ...answered, waitMs: Math.ceil(answered.waitMs) } : { ...answered }
  }
  if (message['kind'] === 'renew' && isRenew(message)) {
    const { shard, epoch, loans } = message as unknown as { shard: number; epoch: number; loans: readonly Ask[] }
    const good = addresses.renew(shard, epoch, loans, now)
    return { good, wanted: addresses.wanted(good, loans) }
  }
  if (message['kind'] === 'give-back' && isLoan(message)) {
    addresses.giveBack(message as unknown as Ask, now)
    return {}
  }
  return undefined
}
