import { smugglingSuite } from '@comity/site/testing'
import { openProxy } from '../testing/proxy-fixture.ts'

smugglingSuite('gateway', async (origin) => await openProxy({ origin }))
