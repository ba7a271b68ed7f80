import { readFileSync, writeSync } from 'node:fs';
import { QueryPlanner } from '@graphql-hive/router-query-planner';

/**
 * Entry of the child process of `planOperations`. It reads the supergraph and the operations from standard input and
 * writes lines: one for the supergraph, then one for each operation. The planner is native code; after a panic no
 * further lines follow, which shows the parent the failed operation.
 */

/** Input of the process. */
export interface PlanningRequest {
  readonly supergraphSdl: string;
  readonly operations: readonly { readonly text: string; readonly name: string | null }[];
}

/** Line of the output: the reason if there is no plan. */
export interface PlanningLine {
  readonly error?: string;
}

/** `@override(label: "percent(x)")` is decided by this value; any will do, both sides are planned alike. */
const overridePercentage = 50;

function attempt(action: () => void): void {
  let line: PlanningLine = {};
  try {
    action();
  } catch (error) {
    line = { error: error instanceof Error ? error.message : String(error) };
  }
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const { supergraphSdl, operations } = JSON.parse(readFileSync(0, 'utf8')) as PlanningRequest;
let planner: QueryPlanner | undefined;
attempt(() => {
  planner = new QueryPlanner(supergraphSdl);
});
for (const { text, name } of planner ? operations : []) {
  attempt(() => planner?.plan(text, name, new Set(), overridePercentage));
}
