import type { Route } from './Route.ts';

/**
 * Whether the refusal of a member tells those that the answer shows from those that nobody knows: whoever sends a record
 * of interface A back is told which part is not his to write. Interface C takes a state, and texts are none of it: what
 * is not in a state is unknown there.
 */
export function namesReadOnly({ method, interface: name }: Pick<Route, 'method' | 'interface'>): boolean {
  return (method === 'PATCH' || method === 'PUT') && name !== 'C';
}
