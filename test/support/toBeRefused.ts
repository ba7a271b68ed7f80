import type { Problem } from '../../schema/Problem.ts';
import { Refusal } from './Refusal.ts';
import type { RestAnswer } from './stack/serveStack.ts';

declare global {
  namespace jest {
    interface Matchers<R> {
      /**
       * Matches an operation or a REST call that was refused.
       *
       * @param status HTTP status; of a GraphQL operation, that of its problem
       * @param code code of the problem
       * @param details further members of the problem, as `toMatchObject` compares them
       */
      toBeRefused(status?: number, code?: string, details?: object): R;
      /** Matches an operation or a REST call that was refused as `validation_failed` at exactly these pointers. */
      toBeInvalid(...pointers: string[]): R;
      /** Matches answers of which a number was refused, as in `toBeRefused`, and the others were accepted. */
      toBeRefusedTimes(times: number, status?: number, code?: string, details?: object): R;
    }
  }
}

expect.extend({
  toBeRefused(received: unknown, status?: number, code?: string, details?: object) {
    return compare(this, received, [status, code, details]);
  },
  toBeInvalid(received: unknown, ...pointers: string[]) {
    const errors = pointers.map((pointer) => ({ pointer }));
    return compare(this, received, [422, 'validation_failed', { errors }]);
  },
  toBeRefusedTimes(received: readonly unknown[], times: number, ...expected: Expected) {
    const refused = received.filter((answer) => problemIn(answer) !== undefined);
    const other = refused.map((answer) => compare(this, answer, expected)).find(({ pass }) => !pass);
    return {
      pass: refused.length === times && !other,
      message: () => other?.message() ?? `${refused.length} answers were refused instead of ${times}`,
    };
  },
});

type Expected = readonly [
  status?: number | undefined,
  code?: string | undefined,
  details?: object | undefined,
];

function compare(
  { equals, utils, customTesters, isNot }: jest.MatcherContext,
  received: unknown,
  [status, code, details]: Expected,
): jest.CustomMatcherResult {
  const { iterableEquality, subsetEquality } = utils;
  const problem = problemIn(received);
  const stated = [status, code].filter((value) => value !== undefined).join(' ');
  const isAsStated =
    problem !== undefined &&
    (status === undefined || problem.status === status) &&
    (code === undefined || problem.code === code) &&
    (details === undefined || equals(problem, details, [...customTesters, iterableEquality, subsetEquality]));
  return {
    pass: isAsStated,
    message: () =>
      `Expected ${isNot ? 'no refusal' : 'a refusal'} ${stated} ${details ? JSON.stringify(details) : ''}\n${describe(received)}`,
  };
}

function problemIn(received: unknown): Partial<Problem> | undefined {
  // An operation can fail without a problem, as for a wrong variable. It is a refusal of no status.
  if (received instanceof Refusal) return received.problem ?? {};
  if (!isRestAnswer(received)) return undefined;
  const { status, body } = received;
  return status >= 400 ? { ...(body as object), status } : undefined;
}

function isRestAnswer(received: unknown): received is RestAnswer {
  return typeof received === 'object' && received !== null && 'status' in received && 'headers' in received;
}

function describe(received: unknown): string {
  if (received instanceof Refusal) return received.describe();
  if (isRestAnswer(received)) {
    const { call, status, headers, body } = received;
    const request = `${call.method} ${call.path} ${JSON.stringify(call.body ?? null, null, 2)}`;
    return `${request}\nanswered ${status} ${JSON.stringify(Object.fromEntries(headers))} ${JSON.stringify(body, null, 2)}`;
  }
  return `The answer is ${JSON.stringify(received, null, 2)}`;
}
