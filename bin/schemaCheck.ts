import path from 'node:path';
import { readArguments, refuseCall } from '../app/commands/readArguments.ts';

const command = 'npm run schema:check';
const { values } = readArguments({
  command,
  about: `Compares the contract of the working tree with that of a commit; see docs/how-to/schema-checks.md. The exit code is 1 for a
breaking change, and 2 if the check cannot be made.`,
  options: {
    base: {
      type: 'string',
      about: 'git ref to compare with; default: where the branch left the main branch',
    },
    'fail-on': { type: 'string', about: 'lowest severity that fails: breaking (default) or dangerous' },
    format: { type: 'string', about: 'table (default), json, github, sarif, junit or markdown' },
    'operations-log': { type: 'string', multiple: true, about: 'what OPERATIONS_LOG wrote; may be repeated' },
  },
});

const { exitCodes } = await import('../packages/schema-check/src/exitCodes.ts');
const { formats, isFormat } = await import('../packages/schema-check/src/report/formats.ts');
const { exitCodeOf, failingSeverities, isFailingSeverity } = await import(
  '../packages/schema-check/src/report/Report.ts'
);
const { UsageError } = await import('../packages/schema-check/src/UsageError.ts');
const { runCheck } = await import('../schema/check/runCheck.ts');

const { format = 'table', 'fail-on': failOn = 'breaking' } = values;
if (!isFormat(format)) refuseCall({ command }, `--format must be one of ${Object.keys(formats).join(', ')}.`);
if (!isFailingSeverity(failOn))
  refuseCall({ command }, `--fail-on must be ${failingSeverities.join(' or ')}.`);
try {
  const root = path.join(import.meta.dirname, '..');
  const report = runCheck(root, values.base, values['operations-log'] ?? []);
  console.log(formats[format].print(report));
  process.exitCode = exitCodeOf(report, failOn);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = exitCodes.impossible.code;
}
