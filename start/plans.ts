import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'graphql';
import { createFacade } from '../rest-facade/createFacade.ts';
import type { FileSource } from '../rest-facade/http/adapters/files.ts';
import type { Gateway } from '../rest-facade/http/Gateway.ts';
import { createEngine } from '../router/execution/createEngine.ts';
import type { Engine, Prepared } from '../router/execution/Engine.ts';
import { RegisteredOperations } from '../router/operations/RegisteredOperations.ts';
import { readOperations } from '../router/operations/readOperations.ts';
import { PlanRecord } from '../router/operations/storedPlans.ts';
import type { Transport } from '../router/transport/Transport.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import './demonstration/seedDemonstration.ts';
import { nameOf, seedOperations } from './demonstration/seedOperation.ts';
import { releasedPlans, releasedSupergraph } from './openRouters.ts';

const usage = `npm run plans -- [--supergraph FILE] [--operations FILE] [--out FILE]

Writes the plans of every route, of the demonstration and of the registered operations, so that they are answered where
the native planner has no binary. The file is good for this supergraph only; whoever serves another one ignores it.

  --supergraph  default: schema/supergraph.graphql
  --operations  registered operations, as in REGISTERED_OPERATIONS
  --out         default: schema/plans.json, where the product looks for them`;

/** `npm run plans`: plans that a product without the native planner starts with. */
function main(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      supergraph: { type: 'string', default: releasedSupergraph },
      operations: { type: 'string' },
      out: { type: 'string', default: releasedPlans },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const supergraphSdl = readFileSync(values.supergraph, 'utf8');
  const record = new PlanRecord();
  const engine = createEngine({ supergraphSdl, transports: nowhere, onPlan: record.note });
  planRoutes(engine);
  for (const source of seedOperations()) prepare(engine, source, nameOf(source));
  const registered = new RegisteredOperations(
    values.operations ? readOperations(values.operations) : [],
    engine,
  );
  engine.close();
  for (const { id, reason } of registered.unfit)
    console.error(`left out: the registered operation "${id}": ${reason}`);
  writeFileSync(values.out, record.toText(supergraphSdl));
  console.log(`${record.count} plans in ${values.out}`);
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

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`no plans: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
