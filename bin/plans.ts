import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { releasedPlans, releasedSupergraph } from '../app/federation/openRouters.ts';
import { planEverything } from '../app/plans/planEverything.ts';
import { PlannerUnavailable } from '../router/execution/Planner.ts';
import { readOperations } from '../router/operations/readOperations.ts';

const usage = `npm run plans -- [--supergraph FILE] [--operations FILE] [--out FILE]

Writes the plans of every route, of the demonstration and of the registered operations, so that nobody makes them at
start, and they are answered where the native planner has no binary. Those of the release are made by "npm run generate".
The file is good for this supergraph only; whoever serves another one ignores it.

  --supergraph  default: schema/supergraph.graphql
  --operations  registered operations, as in REGISTERED_OPERATIONS
  --out         default: schema/plans.json, where the product looks for them
  --check       writes nothing, and fails if the file holds anything else`;

/** `npm run plans`: plans that a product without the native planner starts with. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      supergraph: { type: 'string', default: releasedSupergraph },
      operations: { type: 'string' },
      out: { type: 'string', default: releasedPlans },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const supergraphSdl = readFileSync(values.supergraph, 'utf8');
  const operations = values.operations ? readOperations(values.operations) : [];
  const planned = await planEverything(supergraphSdl, operations).catch((error: Error) => {
    if (values.check && error.cause instanceof PlannerUnavailable) return null;
    throw error;
  });
  if (planned === null) {
    console.error(`${values.out} is not checked: there is no planner for this machine.`);
    return;
  }
  const { text, count, unfit } = planned;
  for (const { id, reason } of unfit) console.error(`left out: the registered operation "${id}": ${reason}`);
  if (values.check) {
    if (existsSync(values.out) && readFileSync(values.out, 'utf8') === text) return;
    throw new Error(`${values.out} is stale: run "npm run generate".`);
  }
  writeFileSync(values.out, text);
  console.log(`${count} plans in ${values.out}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`no plans: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
