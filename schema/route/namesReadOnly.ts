import type { Route } from './Route.ts';

/**
 * Returns whether refusals distinguish read-only members from unknown ones. A client that sends a record of interface A
 * back learns which member is read-only. Interface C accepts a state without texts, so other members are unknown there.
 */
export function namesReadOnly({ method, interface: name }: Pick<Route, 'method' | 'interface'>): boolean {
  return (method === 'PATCH' || method === 'PUT') && name !== 'C';
}
