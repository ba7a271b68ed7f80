import path from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes } from './exitCodes.ts';
import { checkProject } from './project/checkProject.ts';
import { configurationFile } from './project/readConfiguration.ts';
import { formats, isFormat } from './report/formats.ts';
import { exitCodeOf, failingSeverities, isFailingSeverity } from './report/Report.ts';
import { UsageError } from './UsageError.ts';

const names = Object.keys(formats);
const options = {
  base: { type: 'string' },
  config: { type: 'string', default: configurationFile },
  'fail-on': { type: 'string', default: 'breaking' },
  format: { type: 'string', default: 'table' },
  help: { type: 'boolean', short: 'h', default: false },
  'operations-log': { type: 'string', multiple: true, default: [] as string[] },
} as const;

const help = `Usage: schema-check [options]

Compares the contract of a project with that of a base: GraphQL schema, guards, OpenAPI and registered operations.

Options:
  --base <ref|folder|file|URL>  what to compare with; default: where the branch left origin/main, or else HEAD~1
  --config <file>               default: ${configurationFile}
  --fail-on <severity>          lowest severity that fails: breaking (default) or dangerous
  --format <format>             ${names.join(', ')}; default: table
  --operations-log <file>       operations that clients were seen to send; may be repeated
  -h, --help                    prints this text

Exit codes:
${Object.values(exitCodes)
  .map(({ code, words }) => `  ${code}  ${words}`)
  .join('\n')}`;

/** Exit code and output of the command. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command.
 *
 * @param args what follows the name of the command
 * @param directory that paths are relative to
 */
export async function runCommand(args: readonly string[], directory: string): Promise<Outcome> {
  try {
    return await check(readOptions(args), directory);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: exitCodes.impossible.code, stdout: '', stderr: error.message };
  }
}

type Options = ReturnType<typeof readOptions>;

/**
 * Reads the options.
 *
 * @throws UsageError if an option is unknown or has an invalid value
 */
function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(
      `${(error instanceof Error ? error.message : String(error)).replace(/\.?$/, '.')} See schema-check --help.`,
      {
        cause: error,
      },
    );
  }
}

async function check(
  { help: isHelp, format, 'fail-on': failOn, config, base, 'operations-log': logs }: Options,
  directory: string,
): Promise<Outcome> {
  if (isHelp) return { code: exitCodes.passed.code, stdout: help, stderr: '' };
  if (!isFormat(format)) throw new UsageError(`--format must be one of ${names.join(', ')}.`);
  if (!isFailingSeverity(failOn))
    throw new UsageError(`--fail-on must be ${failingSeverities.join(' or ')}.`);
  const operationsLogs = logs.map((file) => path.resolve(directory, file));
  const report = await checkProject({ directory, configurationFile: config, base, operationsLogs });
  return { code: exitCodeOf(report, failOn), stdout: formats[format].print(report), stderr: '' };
}
