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
    usage: {
      type: 'string',
      about: 'file or URL that `npm run usage -- export` wrote; see docs/how-to/api-usage.md',
    },
    'operations-log': { type: 'string', multiple: true, about: 'what OPERATIONS_LOG wrote; may be repeated' },
  },
});

const { exitCodes } = await import('../packages/schema-check/src/exitCodes.ts');
const { formats, isFormat } = await import('../packages/schema-check/src/report/formats.ts');
const { exitCodeOf, failingSeverities, isFailingSeverity } = await import(
  '../packages/schema-check/src/report/Report.ts'
);
const { UsageError } = await import('../packages/schema-check/src/UsageError.ts');
const { readUsage } = await import('../packages/schema-check/src/usage/readUsage.ts');
const { defaultRules } = await import('../packages/schema-check/src/usage/Usage.ts');
const { runCheck } = await import('../schema/check/runCheck.ts');

const { format = 'table', 'fail-on': failOn = 'breaking' } = values;
if (!isFormat(format)) refuseCall({ command }, `--format must be one of ${Object.keys(formats).join(', ')}.`);
if (!isFailingSeverity(failOn))
  refuseCall({ command }, `--fail-on must be ${failingSeverities.join(' or ')}.`);
try {
  const root = path.join(import.meta.dirname, '..');
  const usage =
    values.usage === undefined
      ? undefined
      : await readUsage({
          source: values.usage,
          directory: process.cwd(),
          rules: defaultRules,
          nowMs: Date.now(),
        });
  const report = runCheck(root, values.base, { operationsLogs: values['operations-log'] ?? [], usage });
  console.log(formats[format].print(report));
  process.exitCode = exitCodeOf(report, failOn);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = exitCodes.impossible.code;
}
