import type { Route } from './Route.ts';

/**
 * Whether the refusal of a member distinguishes members that the response has from unknown ones: a client that sends
 * a record of interface A back learns which member is read-only. Interface C takes a state, which contains no texts:
 * other members are unknown there.
 */
export function namesReadOnly({ method, interface: name }: Pick<Route, 'method' | 'interface'>): boolean {
  return (method === 'PATCH' || method === 'PUT') && name !== 'C';
}
