import { readFileSync } from 'node:fs';

/** One of the 111 authenticated methods of interface A, as the design promises it. */
export interface PromisedMethod {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  /** As in `Query.me`. */
  readonly field: string;
  readonly status: number;
  /** Other status of success, as when a repetition creates nothing. */
  readonly otherStatus: number | null;
  /** Guard as the design names it: `self`, `owner`, `dealer:agent`, `permission`, … */
  readonly guard: string;
  readonly permission: string | null;
  /** Whether the permission is an alternative to ownership. */
  readonly isAlternative: boolean;
  readonly scope: string | null;
  readonly isPaged: boolean;
  readonly key: 'opt' | 'req' | null;
  readonly stepUp: boolean;
  /** Rate class, as in the directive. */
  readonly rateClass: string;
}

const orNull = (text: string): string | null => (text === '-' ? null : text);

/** The table of the design (`methods.txt`), with a line for each method. */
export const methodsOfA: readonly PromisedMethod[] = readFileSync(
  new URL('methods.txt', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split(/ {2,}/))
  .map(([n, method = '', path = '', field = '', status = '', guard = '', permission = '', ...rest]) => {
    const [scope = '', page = '', key = '', up = '', rate = ''] = rest;
    const [first, other] = status.split('/').map(Number);
    return {
      n: Number(n),
      method,
      path,
      field,
      status: first ?? 0,
      otherStatus: other ?? null,
      guard,
      permission: orNull(permission.replace(/^or /, '')),
      isAlternative: permission.startsWith('or '),
      scope: orNull(scope),
      isPaged: page === 'cursor',
      key: orNull(key) as PromisedMethod['key'],
      stepUp: up === 'up',
      rateClass: rate.toUpperCase(),
    };
  });
