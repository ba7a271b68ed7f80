import type { ExecutionResult } from 'graphql';
import type { Problem } from '../../schema/Problem.ts';

/** A call and its answer. */
interface RefusedCall {
  readonly operation: string;
  readonly variables: object;
  readonly result: ExecutionResult;
}

/** Members that test frameworks and `await` look up on any value. */
const probed: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  'nodeType',
  'constructor',
  'sample',
]);

/** An operation that was refused. A test that uses it as an answer fails with the whole call. */
export class Refusal {
  readonly call: RefusedCall;

  private constructor(call: RefusedCall) {
    this.call = call;
  }

  static of(call: RefusedCall): Refusal {
    return new Proxy(new Refusal(call), {
      get: (refusal, name) => {
        if (typeof name === 'symbol' || name in refusal) return Reflect.get(refusal, name);
        if (probed.has(name) || name.startsWith('@@') || name.startsWith('$$')) return undefined;
        throw new Error(`"${name}" was read of an operation that was refused.\n${refusal.describe()}`, {
          cause: call.result.errors?.[0]?.originalError,
        });
      },
    });
  }

  /** The problem as in REST. Undefined if the operation failed without one. */
  get problem(): Problem | undefined {
    return this.call.result.errors?.[0]?.extensions?.problem as Problem | undefined;
  }

  /** Operation, variables and answer, for a message. */
  describe(): string {
    const { operation, variables, result } = this.call;
    return `${operation} ${JSON.stringify(variables, null, 2)}\nanswered ${JSON.stringify(result, null, 2)}`;
  }
}

/** Whether the answer of an operation is a refusal, for tests in which both are possible. */
export function isRefused(answer: unknown): boolean {
  return answer instanceof Refusal;
}
