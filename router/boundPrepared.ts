import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { overloadedAdvice } from '../schema/upstreamProblems.ts';
import type { ConcurrencyLimit } from '../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import type { Prepared } from './execution/Engine.ts';
import { isPromise } from './transport/isPromise.ts';
import { unknownOutcome } from './transport/Transport.ts';

/** Maximum duration of an execution in milliseconds, unless a root field states that its subgraph may take longer. */
const usualTimeoutMs = 10_000;

/** Limits of an execution. */
export interface Bounds {
  /** Concurrent executions. */
  readonly limit: ConcurrencyLimit;
  /** Overrides the default deadline. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Returns an operation whose executions have a deadline and a concurrency limit. The deadline counts from the start of
 * the execution. After it, no fetch starts and no response is awaited; missing data is null, with `UPSTREAM_TIMEOUT`.
 * Subscriptions have no deadline and are not counted.
 */
export function boundPrepared(prepared: Prepared, { limit, timeoutMs = usualTimeoutMs }: Bounds): Prepared {
  const lastsMs = Math.max(timeoutMs, prepared.rootFieldLimits.timeoutMs ?? 0);
  const finish = prepared.operationType === OperationTypeNode.MUTATION ? withOutcome : same;
  return {
    ...prepared,
    execute(variables, context) {
      const start = () => {
        // The client disconnected while the execution was queued.
        if (context.signal?.aborted === true) return overloaded;
        (context as RequestContext).deadlineAt = performance.now() + lastsMs;
        return prepared.execute(variables, context);
      };
      const result = limit.run(start, () => overloaded);
      return isPromise(result) ? result.then(finish) : finish(result);
    },
  };
}

/** Preallocated, because constructing an error is expensive under load. */
const overloaded: ExecutionResult = {
  errors: [
    new GraphQLError(overloadedAdvice, {
      extensions: { code: 'OVERLOADED' },
    }),
  ],
};

const same = (result: ExecutionResult): ExecutionResult => result;

/**
 * Adds the outcome of a mutation. If a subgraph failed below a root field, the mutation of that field was executed and
 * only its response is incomplete. A client must not conclude that nothing was written.
 */
function withOutcome(result: ExecutionResult): ExecutionResult {
  if (!result.errors?.some(isBelowWrite)) return result;
  return { ...result, errors: result.errors.map((error) => (isBelowWrite(error) ? marked(error) : error)) };
}

function isBelowWrite({ path, extensions }: GraphQLError): boolean {
  return path !== undefined && path.length > 1 && String(extensions.code).startsWith('UPSTREAM_');
}

function marked(error: GraphQLError): GraphQLError {
  const { message, path, originalError, extensions } = error;
  const { problem } = extensions;
  const stated = typeof problem === 'object' && { problem: { ...problem, ...unknownOutcome } };
  return new GraphQLError(message, {
    path: path ?? null,
    originalError: originalError ?? null,
    extensions: { ...extensions, ...unknownOutcome, ...stated },
  });
}
