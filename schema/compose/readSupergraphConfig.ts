import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** A subgraph as listed in `supergraph.yaml`. */
export interface SubgraphConfig {
  readonly name: string;
  /** Address when it runs alone. */
  readonly url: string;
  /** Committed SDL, relative to the project. */
  readonly file: string;
}

/**
 * Reads `supergraph.yaml` (the format of rover's `supergraph compose`), the only list of subgraphs.
 *
 * @throws Error that names the member that is missing
 */
export function readSupergraphConfig(projectRoot: string): SubgraphConfig[] {
  const document = parse(readFileSync(path.join(projectRoot, 'supergraph.yaml'), 'utf8')) as unknown;
  const subgraphs = member(document, 'subgraphs', 'supergraph.yaml');
  return Object.entries(subgraphs as Record<string, unknown>).map(([name, entry]) => ({
    name,
    url: textMember(entry, 'routing_url', name),
    file: textMember(member(entry, 'schema', name), 'file', name),
  }));
}

function member(parent: unknown, name: string, where: string): object {
  const value: unknown = isObject(parent) ? parent[name] : undefined;
  if (!isObject(value)) throw new Error(`supergraph.yaml: ${where} has no "${name}"`);
  return value;
}

function textMember(parent: unknown, name: string, where: string): string {
  const value: unknown = isObject(parent) ? parent[name] : undefined;
  if (typeof value !== 'string') throw new Error(`supergraph.yaml: ${where} has no "${name}"`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
