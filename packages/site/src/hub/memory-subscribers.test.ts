import { MemorySubscribers } from './memory-subscribers.ts'
import { subscribersSuite } from '../testing/subscribers.suite.ts'

subscribersSuite('memory subscribers', async () => new MemorySubscribers())
