import { existsSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from '../app/commands/readArguments.ts';
import { committedOutputs, subgraphOutput } from '../app/generation/committedOutputs.ts';
import { localOutputs, typesOutput } from '../app/generation/localOutputs.ts';
import { findStale, type Output, writeOutputs } from '../app/generation/Output.ts';
import { readSupergraphConfig } from '../schema/compose/readSupergraphConfig.ts';

const { values } = readArguments({
  command: 'npm run generate',
  about: `Writes the generated files that are stale: schemas of the subgraphs, supergraph, types, OpenAPI, audit, client,
documentation, tables of settings, plans.`,
  options: {
    check: { type: 'boolean', about: 'write nothing, and fail with the list of stale files' },
    subgraph: {
      type: 'string',
      about: 'only the files of this subgraph, for work on it while another one does not compose',
    },
  },
});

const root = path.join(import.meta.dirname, '..');

/** Writes or reports stale files; returns whether the next step is possible. */
function bringUpToDate(outputs: readonly Output[]): boolean {
  const stale = findStale(root, outputs);
  if (values.check) {
    for (const { file } of stale) console.error(`stale: ${file} (run "npm run generate")`);
    return stale.length === 0;
  }
  writeOutputs(root, stale);
  for (const { file } of stale) console.log(`wrote ${file}`);
  return true;
}

/** Updates the plans, which are derived from the supergraph that was written before. */
async function bringPlansUpToDate(): Promise<void> {
  if (!existsSync(path.join(root, 'app/plans'))) return;
  const { writePlans } = await import('../app/plans/writePlans.ts');
  const count = await writePlans({ check: values.check });
  if (count !== null) console.log(`${count} plans in schema/plans.json`);
}

/**
 * Generates the files.
 *
 * @returns whether all of them are up to date
 */
async function generate(only: string | undefined): Promise<boolean> {
  const subgraphs = readSupergraphConfig(root);
  if (only !== undefined) {
    const subgraph = subgraphs.find(({ name }) => name === only);
    if (subgraph === undefined) throw new Error(`supergraph.yaml lists no subgraph "${only}"`);
    return bringUpToDate([subgraphOutput(subgraph)]) && bringUpToDate([await typesOutput(root, subgraph)]);
  }
  if (!bringUpToDate(await committedOutputs(root, subgraphs))) return false;
  if (!bringUpToDate(await localOutputs(root, subgraphs))) return false;
  await bringPlansUpToDate();
  return true;
}

try {
  process.exitCode = (await generate(values.subgraph)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
