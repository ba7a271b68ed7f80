import { composeServices } from '@apollo/composition';
import {
  composeServices as composeSecondOpinion,
  compositionHasErrors,
} from '@theguild/federation-composition';
import { parse } from 'graphql';
import { toApiSdl } from './toApiSdl.ts';

/** A subgraph to compose. */
export interface SubgraphSource {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

/** Result of a composition. */
export interface Composed {
  /** Supergraph SDL with the guard directives on its fields. */
  readonly supergraph: string;
  /** SDL that clients see: without federation directives, inaccessible members and guards. */
  readonly api: string;
}

/**
 * Composes with Apollo's composition. The Guild's composition must succeed as well, so that a supergraph does not
 * depend on one implementation.
 *
 * @param secondOpinion replaces The Guild's
 * @throws Error with all messages of the refusing composer
 */
export function composeSupergraph(
  subgraphs: readonly SubgraphSource[],
  secondOpinion: typeof composeSecondOpinion = composeSecondOpinion,
): Composed {
  const services = subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));
  const result = composeServices(services);
  if (result.errors)
    throw new Error(`composition: ${result.errors.map(({ message }) => message).join('\n')}`);
  const second = secondOpinion(services);
  if (compositionHasErrors(second)) {
    throw new Error(`second opinion: ${second.errors.map(({ message }) => message).join('\n')}`);
  }
  const api = result.schema.toAPISchema().toGraphQLJSSchema();
  return { supergraph: `${result.supergraphSdl.trim()}\n`, api: toApiSdl(api) };
}
