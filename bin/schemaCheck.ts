import path from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes } from '../schema/check/exitCodes.ts';
import { formatGithub } from '../schema/check/report/formatGithub.ts';
import { formatJson } from '../schema/check/report/formatJson.ts';
import { formatSarif } from '../schema/check/report/formatSarif.ts';
import { formatTable } from '../schema/check/report/formatTable.ts';
import { countChanges, type Report } from '../schema/check/report/Report.ts';
import { runCheck } from '../schema/check/runCheck.ts';
import { UsageError } from '../schema/check/UsageError.ts';

const usage =
  'npm run schema:check -- [--base <git ref>] [--operations-log <file> ...] [--json | --github | --sarif]';

const formats = { json: formatJson, github: formatGithub, sarif: formatSarif };

interface Choice {
  readonly base: string | undefined;
  readonly operationsLogs: readonly string[];
  readonly format: (report: Report) => string;
}

function readOptions(args: string[]): Choice {
  const flag = { type: 'boolean', default: false } as const;
  let values: { base?: string; 'operations-log'?: string[]; json: boolean; github: boolean; sarif: boolean };
  try {
    const options = {
      base: { type: 'string' },
      'operations-log': { type: 'string', multiple: true },
      json: flag,
      github: flag,
      sarif: flag,
    } as const;
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)} Usage: ${usage}`, {
      cause: error,
    });
  }
  const chosen = (['json', 'github', 'sarif'] as const).filter((name) => values[name]);
  const [name] = chosen;
  if (chosen.length > 1) throw new UsageError(`Choose one of --${chosen.join(', --')}. Usage: ${usage}`);
  return {
    base: values.base,
    operationsLogs: values['operations-log'] ?? [],
    format: name ? formats[name] : formatTable,
  };
}

/**
 * `npm run schema:check`: compares the contract of the working tree with that of a commit. See docs/schema-checks.md.
 *
 * @returns exit code
 * @throws UsageError when the check cannot be made
 */
function check(args: string[]): number {
  const { base, operationsLogs, format } = readOptions(args);
  const report = runCheck(path.join(import.meta.dirname, '..'), base, operationsLogs);
  console.log(format(report));
  return countChanges(report).breaking > 0 ? exitCodes.broken.code : exitCodes.passed.code;
}

try {
  process.exitCode = check(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = exitCodes.impossible.code;
}
