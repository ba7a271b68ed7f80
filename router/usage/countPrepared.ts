import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import type { UsedOperation } from '../../subgraphs/platform/usage/Usage.ts';
import type { UsageLedger } from '../../subgraphs/platform/usage/UsageLedger.ts';
import type { Prepared } from '../execution/Engine.ts';
import type { SubgraphContext } from '../transport/Transport.ts';
import { describeOperation } from './describeOperation.ts';

/** Parts that count the executions of an operation. */
export interface Counting {
  readonly ledger: UsageLedger;
  /** Returns the schema that clients see. */
  readonly schema: () => GraphQLSchema;
  /** Whether the operation was known at start. */
  readonly isKnown: boolean;
}

/**
 * Returns an operation whose executions and subscriptions are counted in the usage ledger. The operation is described
 * once, at its first execution, because most operations that are known at start are never executed.
 */
export function countPrepared(prepared: Prepared, { ledger, schema, isKnown }: Counting): Prepared {
  let operation: UsedOperation | undefined;
  const count = (subgraphContext: SubgraphContext): void => {
    const context = subgraphContext as RequestContext;
    // The seed of the demonstration is no client.
    if (context.skipsRateLimits) return;
    operation ??= describeOperation(prepared, schema());
    const { viewerOrNull: viewer, installationId, clientName, route } = context;
    const isNamed = viewer?.isClient !== true;
    const client = isNamed ? clientName : viewer.id;
    ledger.count({ installationId, client, isNamed, route, operation, isKnown });
  };
  return {
    ...prepared,
    execute(variables, context) {
      count(context);
      return prepared.execute(variables, context);
    },
    subscribe(variables, context) {
      count(context);
      return prepared.subscribe(variables, context);
    },
  };
}
