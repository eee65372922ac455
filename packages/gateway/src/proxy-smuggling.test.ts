import { smugglingSuite } from '@comity/site/testing'
import { openProxy } from './proxy-fixture.ts'

smugglingSuite('gateway', async (origin) => await openProxy({ origin }))
