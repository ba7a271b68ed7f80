import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PlannerUnavailable } from '../../router/execution/planner/Planner.ts';
import { readOperations } from '../../router/operations/readOperations.ts';
import { releasedPlans, releasedSupergraph } from '../federation/openRouters.ts';
import { planEverything } from './planEverything.ts';

/** Operations to plan, and the file of their plans. */
export interface PlanOptions {
  /** File of the composed schema; default: that of the release. */
  readonly supergraph?: string | undefined;
  /** File of registered operations. */
  readonly operations?: string | undefined;
  /** Default: the plans of the release. */
  readonly out?: string | undefined;
  /** Whether to write nothing and fail if the file has another content. */
  readonly check?: boolean | undefined;
}

/**
 * Writes the plans for the start of a product.
 *
 * @returns their number; null if nothing was written
 * @throws Error if a route cannot be planned, or the checked file is stale
 */
export async function writePlans({
  supergraph = releasedSupergraph,
  operations,
  out = releasedPlans,
  check = false,
}: PlanOptions = {}): Promise<number | null> {
  const documents = operations ? readOperations(operations) : [];
  const planned = await planEverything(readFileSync(supergraph, 'utf8'), documents).catch((error: Error) => {
    if (check && error.cause instanceof PlannerUnavailable) return null;
    throw error;
  });
  if (planned === null) {
    console.error(`${out} is not checked: there is no planner for this machine.`);
    return null;
  }
  const { text, count, unfit } = planned;
  for (const { id, reason } of unfit) console.error(`skipped: registered operation "${id}": ${reason}`);
  const isStale = !existsSync(out) || readFileSync(out, 'utf8') !== text;
  if (check && isStale) throw new Error(`${out} is stale: run "npm run generate".`);
  if (check) return null;
  writeFileSync(out, text);
  return count;
}
