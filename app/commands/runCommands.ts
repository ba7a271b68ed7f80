import { type ParseArgsConfig, parseArgs } from 'node:util';
import pino from 'pino';
import type { IndexedModel } from '../../subgraphs/platform/mongo/syncIndexes.ts';
import type { Secrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { type Configuration, readConfiguration } from '../configuration/readConfiguration.ts';
import { settleSchema } from '../product/settleSchema.ts';
import { openSecrets } from '../services/openSecrets.ts';
import { openDeployment } from './openDeployment.ts';

/** Parsed arguments of a command, and its context. */
export interface CommandCall {
  /** Options by name; a repeatable option is a list. */
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
  readonly configuration: Configuration;
  /** Secrets of the deployment. */
  readonly secrets: Secrets;
  /**
   * Prepares the database for writes to these models; see `settleSchema`.
   *
   * @throws Error with the command that mends the database
   */
  readonly settle: (used: { readonly models: readonly IndexedModel[] }) => Promise<unknown>;
  /** Prints one line for the user at the terminal. */
  readonly print: (line: string) => void;
}

/** One command of a program, such as `keys rotate`. */
export interface Command {
  /** Arguments of the command, as in `<kid>`, and a short description. */
  readonly usage: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** Number of required positional arguments. */
  readonly positionals?: number;
  run(call: CommandCall): Promise<void>;
}

/** Error in the arguments of a program. */
class UsageError extends Error {}

/**
 * Runs `npm run <program> -- <command> …` on the deployment's database, which may be in use: that of `MONGODB_URI`, or
 * the embedded one of the data folder. The exit code is 0, 1 with a remedy if the command fails, or 2 if its arguments
 * are invalid. `--help` prints the commands.
 *
 * @param about purpose of the program
 */
export async function runCommands(
  program: string,
  about: string,
  commands: Readonly<Record<string, Command>>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const print = (line: string): void => console.log(line);
  const name = args[0] ?? '';
  if (args.includes('--help')) return print(`${about}\n\n${usageOf(program, commands)}`);
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new UsageError(
        name === ''
          ? `a command is required. Use one of: ${Object.keys(commands).join(', ')}`
          : `the command "${name}" is unknown`,
      );
    const parsed = parse(command, args.slice(1));
    const configuration = readConfiguration(process.env);
    const secrets = await openSecrets(configuration);
    const deployment = await openDeployment(configuration, print);
    try {
      await command.run({
        ...parsed,
        configuration,
        secrets,
        print,
        settle: (used) =>
          settleSchema(configuration, used, {
            log: pino({ level: 'error' }, pino.destination(2)),
            progress: print,
          }),
      });
    } finally {
      await deployment.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isMisused = error instanceof UsageError;
    console.error(`${program}: ${reason}${isMisused ? '; --help shows the commands' : ''}`);
    if (process.env.LOG_LEVEL === 'debug') console.error(error);
    process.exitCode = isMisused ? 2 : 1;
  }
}

function parse(command: Command, args: readonly string[]): Pick<CommandCall, 'values' | 'positionals'> {
  const { options = {}, positionals: demanded = 0 } = command;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length !== demanded)
      throw new Error(`${demanded} argument(s) expected, ${positionals.length} given`);
    return { values, positionals };
  } catch (error) {
    // The sentences after the first one explain how to quote arguments.
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}

function usageOf(program: string, commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(
    ([name, { usage }]) => `  npm run ${program} -- ${name} ${usage}`,
  );
  return lines.join('\n');
}
