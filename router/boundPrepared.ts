import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import type { Prepared } from './execution/Engine.ts';
import type { Load } from './limits/Load.ts';
import { isPromise } from './transport/isPromise.ts';
import { unknownOutcome } from './transport/Transport.ts';

/** Longest execution, in milliseconds, unless a root field states that its subgraph may take longer. */
const usualTimeoutMs = 10_000;

/** What executions are bound by. */
export interface Bounds {
  readonly load: Load;
  /** Whether the next execution of this operation is to be refused. */
  isFull(prepared: Prepared): boolean;
  /** Replaces the usual deadline. */
  readonly timeoutMs?: number | undefined;
}

/**
 * An operation whose executions end in time and are not too many at once. Past its deadline no fetch is begun and none
 * is waited for: what is missing is null, with `UPSTREAM_TIMEOUT`. Subscriptions go on as long as somebody listens.
 */
export function boundPrepared(
  prepared: Prepared,
  { load, isFull, timeoutMs = usualTimeoutMs }: Bounds,
): Prepared {
  const lastsMs = Math.max(timeoutMs, prepared.rootFieldLimits.timeoutMs ?? 0);
  const finish = prepared.operationType === OperationTypeNode.MUTATION ? withOutcome : same;
  return {
    ...prepared,
    execute(variables, context) {
      if (isFull(prepared)) return overloaded;
      (context as RequestContext).deadlineAt = performance.now() + lastsMs;
      const result = prepared.execute(variables, context);
      if (!isPromise(result)) return finish(result);
      return load.during(result).then(finish);
    },
  };
}

/** Made once: refusals are to cost little, and errors are dear. */
const overloaded: ExecutionResult = {
  errors: [
    new GraphQLError('Too many requests are executed at the moment.', { extensions: { code: 'OVERLOADED' } }),
  ],
};

const same = (result: ExecutionResult): ExecutionResult => result;

/**
 * Where a subgraph failed below a root field, the mutation of that field was executed and only its answer is not whole:
 * whoever takes that for a failure must not believe that nothing happened.
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
