import { readFileSync } from 'node:fs';
import type { QueryPlan } from '@graphql-hive/router-query-planner';
import type { Planner } from '../execution/planner/Planner.ts';
import { hashOf } from './readOperations.ts';

/** Format of the file; another one is another version of this program's. */
const version = 1;

interface PlansFile {
  readonly version: number;
  /** SHA-256 of the supergraph that they are for. */
  readonly supergraph: string;
  /** Plans by the SHA-256 of the planned document. */
  readonly plans: Readonly<Record<string, QueryPlan>>;
}

/** Returns a stored plan by the text of the planned document. */
export type FindPlan = (text: string) => QueryPlan | undefined;

/**
 * Reads the stored plans of one supergraph.
 *
 * @returns null for a file of another supergraph or version
 * @throws Error in one sentence if the file cannot be read
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

/** Returns a planner that uses stored plans, and another planner for missing ones. */
export function withStoredPlans(find: FindPlan, planner: Planner): Planner {
  return {
    plan: async (text) => find(text) ?? planner.plan(text),
    close: () => planner.close(),
  };
}

/** Records the plans that another planner creates. */
export class PlanRecord implements Planner {
  readonly #planner: Planner;
  readonly #plans = new Map<string, QueryPlan>();

  constructor(planner: Planner) {
    this.#planner = planner;
  }

  async plan(text: string): Promise<QueryPlan> {
    const plan = await this.#planner.plan(text);
    this.#plans.set(hashOf(text), plan);
    return plan;
  }

  close(): void {
    this.#planner.close();
  }

  get count(): number {
    return this.#plans.size;
  }

  /** Returns the text of the file: one plan per line, in a fixed order. */
  toText(supergraphSdl: string): string {
    const lines = [...this.#plans]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([hash, plan]) => `"${hash}":${JSON.stringify(plan)}`);
    return `{"version":${version},"supergraph":"${hashOf(supergraphSdl)}","plans":{\n${lines.join(',\n')}\n}}\n`;
  }
}
