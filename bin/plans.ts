import { readArguments } from '../app/commands/readArguments.ts';

const { values } = readArguments({
  command: 'npm run plans',
  about: `Writes the query plans of every route, of the demonstration and of registered operations, so that no process computes them
at its start, and they are answered where the native planner has no binary. The file is good for this supergraph only.`,
  options: {
    supergraph: { type: 'string', about: 'composed schema; default: schema/supergraph.graphql' },
    operations: { type: 'string', about: 'registered operations, as in REGISTERED_OPERATIONS' },
    out: { type: 'string', about: 'default: schema/plans.json, where the product looks for them' },
    check: { type: 'boolean', about: 'write nothing, and fail if the file is stale' },
  },
});
const { writePlans } = await import('../app/plans/writePlans.ts');
try {
  const count = await writePlans(values);
  if (count !== null) console.log(`${count} plans in ${values.out ?? 'schema/plans.json'}`);
} catch (error) {
  console.error(`no plans: ${(error as Error).message}`);
  process.exitCode = 1;
}
