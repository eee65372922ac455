/** The sandbox's process; `sandbox/launch.ts` starts it. It ends without the VM's farewell: its memory goes with it. */
import { serveSandbox } from './server.ts'

await serveSandbox(0, 1).finally(() => process.exit(0))
