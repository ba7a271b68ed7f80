import { parse } from 'graphql';
import { createFacade } from '../rest-facade/createFacade.ts';
import type { FileSource } from '../rest-facade/http/adapters/files.ts';
import type { Gateway } from '../rest-facade/http/Gateway.ts';
import { createEngine } from '../router/execution/createEngine.ts';
import type { Engine, Prepared } from '../router/execution/Engine.ts';
import { RegisteredOperations } from '../router/operations/RegisteredOperations.ts';
import type { RegisteredDocument } from '../router/operations/readOperations.ts';
import { PlanRecord } from '../router/operations/storedPlans.ts';
import type { Transport } from '../router/transport/Transport.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import './demonstration/seedDemonstration.ts';
import { nameOf, seedOperations } from './demonstration/seedOperation.ts';

/** Plans of one supergraph, and which of the registered operations have none. */
export interface Planned {
  /** The text of a file of plans. */
  text: string;
  count: number;
  unfit: RegisteredOperations['unfit'];
}

/**
 * Plans every route, the demonstration, and registered operations.
 *
 * @throws Error when a route does not fit the supergraph, or this machine has no planner
 */
export function planEverything(
  supergraphSdl: string,
  operations: readonly RegisteredDocument[] = [],
): Planned {
  const record = new PlanRecord();
  const engine = createEngine({ supergraphSdl, transports: nowhere, onPlan: record.note });
  try {
    planRoutes(engine);
    for (const source of seedOperations()) prepare(engine, source, nameOf(source));
    const { unfit } = new RegisteredOperations(operations, engine);
    return { text: record.toText(supergraphSdl), count: record.count, unfit };
  } finally {
    engine.close();
  }
}

/** Nothing is executed. */
const idle: Transport = {
  conforming: true,
  compile: () => () => ({}),
  compileSubscription: () => async () => ({}),
};
const nowhere = { identity: idle, seo: idle, translation: idle };

/** A facade prepares whatever its routes and adapters will ever execute. */
function planRoutes(engine: Engine): void {
  const gateway: Pick<Gateway<never>, 'apiSchema' | 'supergraph' | 'prepare'> = {
    apiSchema: engine.apiSchema,
    supergraph: engine.supergraph,
    prepare: (document, name) => prepare(engine, document, name),
  };
  createFacade<never>({
    gateway: gateway as Gateway<never>,
    routes: readRoutes(),
    issuer: 'http://localhost',
    isReady: () => false,
    files: {} as FileSource,
    streams: { send: async () => undefined },
    log: { error: () => undefined },
  });
}

function prepare(engine: Engine, source: Parameters<Engine['prepare']>[0], name: string): Prepared {
  const prepared = engine.prepare(typeof source === 'string' ? parse(source) : source, name);
  if ('errors' in prepared) throw new Error(`"${name}" cannot be planned: ${prepared.errors[0]?.message}`);
  return prepared;
}
