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
    'operations-log': { type: 'string', multiple: true, about: 'what OPERATIONS_LOG wrote; may be repeated' },
    json: { type: 'boolean', about: 'print the report as JSON' },
    github: { type: 'boolean', about: 'print GitHub annotations' },
    sarif: { type: 'boolean', about: 'print SARIF' },
  },
});
const chosen = (['json', 'github', 'sarif'] as const).filter((name) => values[name]);
if (chosen.length > 1) refuseCall({ command }, `choose one of --${chosen.join(', --')}.`);

const { exitCodes } = await import('../schema/check/exitCodes.ts');
const { formatGithub } = await import('../schema/check/report/formatGithub.ts');
const { formatJson } = await import('../schema/check/report/formatJson.ts');
const { formatSarif } = await import('../schema/check/report/formatSarif.ts');
const { formatTable } = await import('../schema/check/report/formatTable.ts');
const { countChanges } = await import('../schema/check/report/Report.ts');
const { runCheck } = await import('../schema/check/runCheck.ts');
const { UsageError } = await import('../schema/check/UsageError.ts');

const formats = { json: formatJson, github: formatGithub, sarif: formatSarif };
const [name] = chosen;
try {
  const root = path.join(import.meta.dirname, '..');
  const report = runCheck(root, values.base, values['operations-log'] ?? []);
  console.log((name ? formats[name] : formatTable)(report));
  process.exitCode = countChanges(report).breaking > 0 ? exitCodes.broken.code : exitCodes.passed.code;
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = exitCodes.impossible.code;
}
