import { readFileSync } from 'node:fs';
import type { QueryPlan } from '@graphql-hive/router-query-planner';
import type { FindPlan, NotePlan } from '../execution/openPlanner.ts';
import { hashOf } from './readOperations.ts';

/** Format of the file; another one is another version of this program's. */
const version = 1;

interface PlansFile {
  readonly version: number;
  /** SHA-256 of the supergraph that they are for. */
  readonly supergraph: string;
  /** By the SHA-256 of the document that the planner was given. */
  readonly plans: Readonly<Record<string, QueryPlan>>;
}

/**
 * Plans that were written down before, for one supergraph.
 *
 * @returns null for a file of another supergraph, or of another version
 * @throws Error in one sentence when the file cannot be read
 */
export function readStoredPlans(file: string, supergraphSdl: string): FindPlan | null {
  const stored = parse(file);
  if (stored.version !== version || stored.supergraph !== hashOf(supergraphSdl)) return null;
  const plans = new Map(Object.entries(stored.plans));
  return (text) => plans.get(hashOf(text));
}

function parse(file: string): PlansFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PlansFile;
  } catch (error) {
    throw new Error(`The plans in "${file}" cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Collects plans while they are made. */
export class PlanRecord {
  readonly #plans = new Map<string, QueryPlan>();

  readonly note: NotePlan = (text, plan) => void this.#plans.set(hashOf(text), plan);

  get count(): number {
    return this.#plans.size;
  }

  /** The text of the file: a plan a line, in an order that depends on nothing else. */
  toText(supergraphSdl: string): string {
    const lines = [...this.#plans]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([hash, plan]) => `"${hash}":${JSON.stringify(plan)}`);
    return `{"version":${version},"supergraph":"${hashOf(supergraphSdl)}","plans":{\n${lines.join(',\n')}\n}}\n`;
  }
}
