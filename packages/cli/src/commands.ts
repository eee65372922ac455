/** All commands, in the order in which help lists them. */
import { agentCommand } from './agent-command.ts'
import type { Command } from './command.ts'
import { checkCommand } from './check-command.ts'
import { crawlCommand } from './crawl-command.ts'
import { demoCommand } from './demo-command.ts'
import { exportCommand } from './export-command.ts'
import { forgetCommand } from './forget-command.ts'
import { gatewayCommand } from './gateway-command.ts'
import { createHelpCommand } from './help-command.ts'
import { importCommand } from './import-command.ts'
import { indexCommand } from './index-command.ts'
import { inspectCommand } from './inspect-command.ts'
import { keysCommand } from './keys-command.ts'
import { labCommand } from './lab-command.ts'
import { publishCommand } from './publish-command.ts'
import { searchCommand } from './search-command.ts'
import { serveCommand } from './serve-command.ts'
import { watchCommand } from './watch-command.ts'

const working: readonly Command[] = [
  demoCommand,
  crawlCommand,
  watchCommand,
  searchCommand,
  serveCommand,
  inspectCommand,
  exportCommand,
  importCommand,
  indexCommand,
  forgetCommand,
  gatewayCommand,
  publishCommand,
  checkCommand,
  keysCommand,
  agentCommand,
  labCommand,
]

export const commands: readonly Command[] = [...working, createHelpCommand(() => commands)]
