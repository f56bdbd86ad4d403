import { type Command, Option } from 'commander'
import type { EngineReport } from '../../../model/reports.js'
import { counted } from '../../../text/counted.js'
import { printResult, settingsFor } from '../command.js'
import type { Context } from '../context.js'
import { helpText } from '../options.js'

export function engineCommand(program: Command, context: Context) {
  program
    .command('engine')
    .summary('show or stop the process that answers commands')
    .description(
      helpText(
        'Shows the engine of the project: the one process that holds the index open and answers the others.',
        ['carrel engine', 'carrel engine --stop'],
        `A server is the engine while it runs. Otherwise the first command starts one. It ends when nobody has asked it
anything for ten minutes: engine.idleMinutes (CARREL_ENGINE_IDLE_MINUTES) is another number, and 0 starts none.`,
      ),
    )
    .addOption(new Option('--stop', 'end the engine that a command started').conflicts('run'))
    .option('--run', 'be the engine, until there was no request for that long')
    .action(async ({ stop, run }: { stop?: boolean; run?: boolean }, command: Command) => {
      const settings = await settingsFor(context, command)
      const { version, signal } = context
      const action = run ? 'run' : stop ? 'stop' : 'show'
      const engine = await context.services.engine(settings, { action, version, signal })
      if (run) return
      const shown = engine ? describeEngine(engine) : 'No engine runs.'
      const text = stop && engine ? `Process ${engine.pid} was stopped.` : shown
      printResult(context, command, { json: { engine }, text: () => `${text}\n`, quiet: stop ?? false })
    })
}

/** For `doctor` and this command: one sentence. */
export function describeEngine(engine: EngineReport): string {
  const end = engine.kind === 'commands' ? ' "carrel engine --stop" ends it.' : ''
  return `Process ${engineText(engine)}.${end}`
}

/** For a table: `4711, started by the command line, 2 clients`. */
export function engineText({ pid, kind, clients }: EngineReport): string {
  const by = kind === 'commands' ? 'started by the command line' : `carrel ${kind}`
  return `${pid}, ${by}, ${counted(clients, 'client')}`
}
