import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, parse } from 'graphql';
import { guardSchema } from '../auth/guardSchema.ts';
import { linkRecords } from '../auth/linkRecords.ts';
import type { OwnershipPolicies } from '../auth/ownership.ts';
import type { RecordReaders } from '../auth/readRecord.ts';
import { resolveNodes } from '../auth/resolveNodes.ts';
import type { Platform } from '../context/Platform.ts';
import { checkReferences } from '../federation/checkReferences.ts';
import { honourKeys } from '../idempotency/honourKeys.ts';
import type { Job } from '../jobs/Job.ts';
import type { IndexedModel } from '../mongo/syncIndexes.ts';
import { scalarResolvers } from '../validation/scalars.ts';
import { checkInputs, type InputRule } from './checkInputs.ts';
import { forgetAfterWrites } from './forgetAfterWrites.ts';
import { mapEnums } from './mapEnums.ts';
import { resolveEdges } from './resolveEdges.ts';
import { resolveIds } from './resolveIds.ts';

/** Resolvers by type name; typed by the generated `Resolvers` of the subgraph. */
export type ResolverMap = Parameters<typeof buildSubgraphSchema>[0] extends readonly (infer M)[]
  ? M extends { resolvers?: infer R }
    ? NonNullable<R>
    : never
  : never;

/** A folder of a subgraph: what one resource adds to it. */
export interface Resource {
  resolvers?: object;
  policies?: OwnershipPolicies;
  /** Readers of records by id, for fields with `@guard__record` and for `node`. */
  records?: RecordReaders;
  models?: readonly IndexedModel[];
  jobs?: readonly Job[];
  /** Rules for inputs besides the limits in the SDL, by root field; see `checkInputs`. */
  inputRules?: Readonly<Record<string, InputRule>>;
  /** Mutations with `@guard__idempotent` that call `once` themselves; see `honourKeys`. */
  keysByHand?: readonly string[];
}

/** Lifecycle of a subgraph. */
export interface Lifecycle {
  /** Runs before the first request. The process does not start if it fails. */
  open?(platform: Platform): Promise<void>;
  /** Starts after the subgraph is open. The process waits a few seconds for it before it is ready. It never fails. */
  warm?(platform: Platform): Promise<void>;
  /** Returns lines for the user who starts the process. */
  notices?(platform: Platform): readonly string[];
  /** Runs after the last request and job. */
  close?(): Promise<void>;
}

/** A subgraph that can be executed in this process or served alone. */
export interface Subgraph extends Lifecycle {
  readonly name: string;
  readonly schema: GraphQLSchema;
  readonly models: readonly IndexedModel[];
  readonly jobs: readonly Job[];
}

/**
 * Builds a subgraph from its committed SDL (`schema/<name>.graphql`) and its resource folders, with every guard in
 * place.
 *
 * @throws Error that lists what is unguarded, or a resolver that two folders define
 */
export function buildSubgraph(
  name: string,
  resources: readonly Resource[],
  lifecycle: Lifecycle = {},
): Subgraph {
  const sdl = readFileSync(new URL(`../../../schema/${name}.graphql`, import.meta.url), 'utf8');
  const resolvers = mergeResolvers([{ resolvers: scalarResolvers(sdl) }, ...resources]);
  const policies = Object.assign(
    {},
    ...resources.map((resource) => resource.policies ?? {}),
  ) as OwnershipPolicies;
  const readers: RecordReaders = Object.assign({}, ...resources.map(({ records }) => records));
  // The schema keeps its document, half of which would be locations.
  const typeDefs = parse(sdl, { noLocation: true });
  const schema = resolveEdges(
    resolveIds(mapEnums(buildSubgraphSchema([{ typeDefs, resolvers: resolvers as ResolverMap }]))),
  );
  // Before the keys, so that an invalid input does not use up its key.
  checkInputs(schema, Object.assign({}, ...resources.map(({ inputRules }) => inputRules)));
  // Before the guards, which wrap it: a refused caller does not use up the key.
  honourKeys(
    schema,
    resources.flatMap((resource) => resource.keysByHand ?? []),
  );
  return {
    ...lifecycle,
    name,
    schema: forgetAfterWrites(
      checkReferences(
        guardSchema(resolveNodes(linkRecords(schema, readers, policies), readers, policies), policies),
      ),
    ),
    models: resources.flatMap((resource) => resource.models ?? []),
    jobs: resources.flatMap((resource) => resource.jobs ?? []),
  };
}

function mergeResolvers(resources: readonly Resource[]): Record<string, Record<string, unknown>> {
  const merged: Record<string, Record<string, unknown>> = {};
  for (const { resolvers = {} } of resources) {
    for (const [type, fields] of Object.entries(resolvers as Record<string, Record<string, unknown>>)) {
      if (Object.getPrototypeOf(fields) !== Object.prototype) {
        merged[type] = fields;
        continue;
      }
      merged[type] ??= {};
      const target = merged[type];
      for (const [field, resolver] of Object.entries(fields)) {
        if (Object.hasOwn(target, field)) throw new Error(`Two folders resolve ${type}.${field}.`);
        target[field] = resolver;
      }
    }
  }
  return merged;
}
