import type { FetchNode, PlanNode } from '@graphql-hive/router-query-planner';
import { type ExecutionResult, GraphQLError, parse } from 'graphql';
import { type EndableStream, mapEvents } from '../../transport/mapEvents.ts';
import type {
  SubgraphContext,
  SubgraphResult,
  SubgraphSubscription,
  Variables,
} from '../../transport/Transport.ts';
import { compileFinish, type OperationCompilation, type SafeOperation } from './compileFinish.ts';
import { compilePlan, sequence } from './compilePlan.ts';
import { compileRequest } from './compileRequest.ts';
import { compileAcceptRoot } from './compileRootFetch.ts';
import { createState, type ExecutionState } from './ExecutionState.ts';

export type Subscribe = (
  variables: Variables,
  context: SubgraphContext,
) => Promise<ExecutionResult | EndableStream<ExecutionResult>>;

/**
 * Compiles a subscription: events come from one subgraph, and the rest of the plan runs for each event.
 *
 * @throws GraphQLError `UNSUPPORTED_QUERY_PLAN` if the subgraph's transport does not support subscriptions
 */
export function compileSubscription(
  safe: SafeOperation,
  node: PlanNode | null,
  compilation: OperationCompilation,
): Subscribe {
  const { primary, followers } = splitPlan(node);
  const document = parse(primary.operation, { noLocation: true });
  const transport = compilation.transports.get(primary.serviceName);
  const subscribe = transport?.compileSubscription?.(document, primary.operation);
  if (subscribe === undefined) {
    throw unsupported(
      `The transport of the subgraph "${primary.serviceName}" does not support subscriptions.`,
    );
  }
  const request = compileRequest({ ...primary, operationKind: 'query' }, compilation);
  const accept = compileAcceptRoot(primary, request, compilation);
  const step = sequence(followers.map((follower) => compilePlan(follower, compilation)));
  const finish = compileFinish(safe, compilation);

  const complete = async (state: ExecutionState, event: SubgraphResult): Promise<ExecutionResult> => {
    accept(state, event);
    await step(state);
    return finish(state);
  };
  return async (variables, context) => {
    const source = await begin(subscribe, request.pickVariables(variables), context, primary.serviceName);
    if (!(Symbol.asyncIterator in source)) {
      const result = await complete(createState(variables, context), source);
      // Without an event there is no data either (GraphQL, 6.2.3).
      return result.errors && source.data == null ? { errors: result.errors } : result;
    }
    return mapEvents(source, (event) =>
      complete(createState(variables, context.forEvent?.() ?? context), event),
    );
  };
}

function splitPlan(node: PlanNode | null): { primary: FetchNode; followers: readonly PlanNode[] } {
  const [first, ...followers] = node?.kind === 'Sequence' ? node.nodes : [node];
  if (first?.kind !== 'Subscription') throw unsupported('The subscription has no plan that can be executed.');
  return { primary: first.primary, followers: followers as readonly PlanNode[] };
}

async function begin(
  subscribe: SubgraphSubscription,
  variables: Variables,
  context: SubgraphContext,
  serviceName: string,
): Promise<SubgraphResult | AsyncIterable<SubgraphResult>> {
  try {
    return await subscribe(variables, context);
  } catch (error) {
    return {
      errors: [
        {
          message: `The subgraph "${serviceName}" could not start the subscription.`,
          extensions: { code: 'UPSTREAM_ERROR', serviceName },
          originalError: error instanceof Error ? error : undefined,
        },
      ],
    };
  }
}

function unsupported(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNSUPPORTED_QUERY_PLAN' } });
}
