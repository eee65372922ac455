/** A run that a test kills: prints the number of its sandbox's process as soon as there is one, and never ends by itself. */
import { NOW, samplePages } from './agent-sample.ts'
import { AgentStore } from '../store/agent-store.ts'
import { runInstalled } from '../host/installed-run.ts'

await runInstalled(new AgentStore(process.argv[2]!), 'sample', {
  pages: samplePages(),
  at: NOW,
  onStart: (pid) => void process.stdout.write(`${pid}`),
})
