/** All commands, in the order in which help lists them. Each is loaded when it is asked for: most need only their own parts. */
import { tableOf } from '@comity/protocol'
import type { Command } from './command.ts'
import { createHelpCommand } from './terminal/help-command.ts'
import { didYouMean } from './terminal/nearest-name.ts'
import { UsageError } from './usage-error.ts'

type Load = () => Promise<Command>

const LOADS: ReadonlyMap<string, Load> = tableOf({
  demo: async () => (await import('./demo/command.ts')).demoCommand,
  crawl: async () => (await import('./crawl/command.ts')).crawlCommand,
  watch: async () => (await import('./watch/command.ts')).watchCommand,
  receive: async () => (await import('./watch/receive-command.ts')).receiveCommand,
  search: async () => (await import('./collection/search-command.ts')).searchCommand,
  serve: async () => (await import('./collection/serve-command.ts')).serveCommand,
  inspect: async () => (await import('./collection/inspect-command.ts')).inspectCommand,
  letters: async () => (await import('./collection/letters-command.ts')).lettersCommand,
  export: async () => (await import('./collection/export-command.ts')).exportCommand,
  import: async () => (await import('./collection/import-command.ts')).importCommand,
  index: async () => (await import('./collection/index-command.ts')).indexCommand,
  repair: async () => (await import('./collection/repair-command.ts')).repairCommand,
  forget: async () => (await import('./collection/forget-command.ts')).forgetCommand,
  cluster: async () => (await import('./cluster/command.ts')).clusterCommand,
  gateway: async () => (await import('./gateway/command.ts')).gatewayCommand,
  publish: async () => (await import('./site/command.ts')).publishCommand,
  unpublish: async () => (await import('./site/unpublish-command.ts')).unpublishCommand,
  costs: async () => (await import('./site/costs-command.ts')).costsCommand,
  check: async () => (await import('./crawl/check-command.ts')).checkCommand,
  keys: async () => (await import('./site/keys-command.ts')).keysCommand,
  agent: async () => (await import('./agent/command.ts')).agentCommand,
  lab: async () => (await import('./lab/command.ts')).labCommand,
  help: () => Promise.resolve(createHelpCommand(loadCommand, loadCommands)),
})

const NAMES: readonly string[] = [...LOADS.keys()]

export const isCommand = (name: string): boolean => LOADS.has(name)

export async function loadCommand(name: string): Promise<Command> {
  const load = LOADS.get(name)
  if (load !== undefined) return await load()
  throw new UsageError(`There is no command "${name}".${didYouMean(name, NAMES)} The commands are ${NAMES.join(', ')}.`)
}

export async function loadCommands(): Promise<readonly Command[]> {
  return await Promise.all(Array.from(LOADS.values(), (load) => load()))
}
