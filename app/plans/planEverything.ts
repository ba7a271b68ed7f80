import { type DocumentNode, parse } from 'graphql';
import { createFacade } from '../../rest-facade/createFacade.ts';
import type { FileSource } from '../../rest-facade/http/FileSource.ts';
import type { Gateway } from '../../rest-facade/http/Gateway.ts';
import { createEngine } from '../../router/execution/createEngine.ts';
import type { Engine, Prepared } from '../../router/execution/Engine.ts';
import { IsolatedPlanner } from '../../router/execution/planner/IsolatedPlanner.ts';
import { RegisteredOperations } from '../../router/operations/RegisteredOperations.ts';
import type { RegisteredDocument } from '../../router/operations/readOperations.ts';
import { PlanRecord } from '../../router/operations/storedPlans.ts';
import type { Transport } from '../../router/transport/Transport.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import '../demonstration/samples/seedSamples.ts';
import '../demonstration/seedDemonstration.ts';
import { nameOf, seedOperations } from '../demonstration/seedOperation.ts';

/** Plans of one supergraph, and the registered operations without a plan. */
export interface Planned {
  /** Returns the text of a file of plans. */
  text: string;
  count: number;
  unfit: RegisteredOperations['unfit'];
}

/**
 * Plans every route, the demonstration, and registered operations.
 *
 * @throws Error if a route does not match the supergraph; its cause is `PlannerUnavailable` without a planner
 */
export async function planEverything(
  supergraphSdl: string,
  operations: readonly RegisteredDocument[] = [],
): Promise<Planned> {
  const record = new PlanRecord(new IsolatedPlanner({ supergraphSdl }));
  const engine = createEngine({
    supergraphSdl,
    transports: nowhere,
    planner: record,
    plansEveryVariant: true,
  });
  try {
    await planRoutes(engine);
    for (const source of seedOperations()) await prepare(engine, source, nameOf(source));
    const { unfit } = await RegisteredOperations.prepare(operations, engine);
    return { text: record.toText(supergraphSdl), count: record.count, unfit };
  } finally {
    engine.close();
  }
}

/** A transport that executes nothing. */
const idle: Transport = {
  conforming: true,
  compile: () => () => ({}),
  compileSubscription: () => async () => ({}),
};
const nowhere = { identity: idle, seo: idle, translation: idle };

/** Plans the routes. A facade prepares all operations of its routes and adapters. */
async function planRoutes(engine: Engine): Promise<void> {
  const gateway: Pick<Gateway<never>, 'apiSchema' | 'supergraph' | 'prepare'> = {
    apiSchema: engine.apiSchema,
    supergraph: engine.supergraph,
    prepare: (document, name) => prepare(engine, document, name),
  };
  await createFacade<never>({
    gateway: gateway as Gateway<never>,
    routes: readRoutes(),
    issuer: 'http://localhost',
    isReady: () => false,
    files: {} as FileSource,
    streams: { send: async () => undefined },
    log: { error: () => undefined },
  });
}

async function prepare(engine: Engine, source: string | DocumentNode, name: string): Promise<Prepared> {
  const prepared = await engine.prepareKnown(typeof source === 'string' ? parse(source) : source, name);
  if (!('errors' in prepared)) return prepared;
  const [cause] = prepared.errors;
  throw new Error(`"${name}" cannot be planned: ${cause?.message}`, { cause });
}
