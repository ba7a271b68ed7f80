import path from 'node:path';
import { readArguments } from '../app/commands/readArguments.ts';
import { localOutputs } from '../app/generation/localOutputs.ts';
import { findStale, writeOutputs } from '../app/generation/Output.ts';
import { PlannerUnavailable } from '../router/execution/planner/Planner.ts';
import { readSupergraphConfig } from '../schema/compose/readSupergraphConfig.ts';

readArguments({
  command: 'npm run prepare',
  about: `Writes the generated files that are not committed: types, client, audit, pages of the documentation and plans. npm ci
runs it, and it prints nothing unless it fails.`,
});

const root = path.join(import.meta.dirname, '..');
try {
  const outputs = await localOutputs(root, readSupergraphConfig(root));
  writeOutputs(root, findStale(root, outputs));
  // The planned routes include those of the pages, so the pages are generated first.
  const { writePlans } = await import('../app/plans/writePlans.ts');
  await writePlans();
} catch (error) {
  const { message, cause } = error as Error;
  if (cause instanceof PlannerUnavailable)
    console.error('schema/plans.json is not written: there is no query planner for this machine.');
  else {
    console.error(`The generated files cannot be written: ${message.split('\n', 1)[0]}`);
    process.exitCode = 1;
  }
}
