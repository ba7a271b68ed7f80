import { guardPrefix } from './guardDirectives.ts';

const names =
  /(?<![\w.])@(?=(?:public|authenticated|permission|owner|dealerRole|clientScope|stepUp|freshCaller|allowState|allowWithoutMfa|rateClass|idempotent|limits|length|range|maxItems)\b)/g;

/**
 * Adds the prefix to the guard directives in a supergraph of version 1 of their specification, whose names had no prefix.
 * Thus, guards can be compared with those of earlier releases. Other supergraphs are returned unchanged.
 */
export function addGuardPrefix(supergraph: string): string {
  const isOld = /\bguard\/v1\.\d+"/.test(supergraph);
  return isOld ? supergraph.replace(names, `@${guardPrefix}`) : supergraph;
}
