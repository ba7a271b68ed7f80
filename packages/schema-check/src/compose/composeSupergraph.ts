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
 * Composes with Apollo's composition; The Guild's must agree that the subgraphs compose, so that a supergraph never
 * depends on what only one implementation accepts.
 *
 * @param secondOpinion takes the place of The Guild's
 * @throws Error with every message of the composer that refuses
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
